import { describe, expect, it, vi } from 'vitest';
import { Gate } from './gate.ts';
import { watchLockLoss } from './lockLoss.ts';

const rejecting = (name: string) => ({
  request: () => Promise.reject(new DOMException('The browsing context is going away', name)),
});

describe('a page that loses its locks', () => {
  it('is told of when it is shown again', async () => {
    const here = new Gate();
    here.close();
    const lost = vi.fn();
    const watching = watchLockLoss(rejecting('AbortError'), () => here.passed, lost);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(lost).not.toHaveBeenCalled();
    here.open();
    await watching;
    expect(lost).toHaveBeenCalledOnce();
  });

  it('had none where none are allowed', async () => {
    const lost = vi.fn();
    await watchLockLoss(rejecting('SecurityError'), () => Promise.resolve(), lost);
    await watchLockLoss(undefined, () => Promise.resolve(), lost);
    expect(lost).not.toHaveBeenCalled();
  });
});
