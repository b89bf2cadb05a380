import { describe, expect, it } from 'vitest';
import { MissedMessages } from './missedMessages.ts';

const PROGRESS = { method: 'notifications/progress', params: {} };
const TWO = { messages: 2, responses: 1 };

function watched() {
  const missed = new MissedMessages();
  const closed: string[] = [];
  const over = missed.hold(true, () => closed.push('call'));
  return { missed, closed, over };
}

describe('MissedMessages', () => {
  it('waits until two messages were sent, which requests such as a ping are not', async () => {
    const { missed } = watched();
    const sight = missed.until(TWO, 5000);
    missed.add('e1', PROGRESS);
    missed.add(undefined, { id: 1, method: 'ping' });
    missed.add('e2', undefined);
    expect(missed.list).toHaveLength(1);
    missed.add('e3', PROGRESS);
    expect(await sight).toBe('enough');
    expect(missed.list.map(({ eventId }) => eventId)).toEqual(['e1', 'e3']);
  });

  it('is content with the response of the call', async () => {
    const { missed } = watched();
    missed.add('e1', { id: 1, result: {} });
    expect(await missed.until(TWO, 5000)).toBe('enough');
  });

  it('says that the server has ended the stream, or that nothing came in time', async () => {
    const { missed, over } = watched();
    expect(await missed.until(TWO, 20)).toBe('late');
    over();
    expect(await missed.until(TWO, 5000)).toBe('ended');
  });

  it('gives the page a moment to go before it takes no stream for an ended one', async () => {
    const missed = new MissedMessages();
    const sight = missed.until(TWO, 5000);
    missed.hold(true, () => undefined);
    missed.add('e1', PROGRESS);
    missed.add('e2', PROGRESS);
    expect(await sight).toBe('enough');
  });

  it('closes what it holds when the page may come back', async () => {
    const { missed, closed } = watched();
    missed.release();
    await missed.released;
    expect(closed).toEqual(['call']);
    expect(missed.isReleased).toBe(true);
  });
});
