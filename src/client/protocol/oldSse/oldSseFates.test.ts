import { describe, expect, it } from 'vitest';
import type { Call } from '../../../log/state/call.ts';
import { decideOldSseFates } from './oldSseFates.ts';

const call = (name: Call['name']) =>
  ({
    id: 'c',
    server: 's',
    tool: 't',
    args: {},
    name,
    startedAt: 0,
    timeoutMs: 1,
    repeatable: false,
    received: 0,
    replayed: 0,
    duplicates: 0,
  }) as Call;

describe('on the old HTTP+SSE transport', () => {
  it('nothing can be followed, but for tasks', () => {
    const calls = (['sending', 'open', 'needs-input', 'settled'] as const).map((name) => ({
      ...call(name),
      id: name,
    }));
    const task = { ...call('open'), id: 'task', taskId: 't' };
    expect(decideOldSseFates([...calls, task]).map(({ callId, name }) => [callId, name])).toEqual([
      ['sending', 'unknown'],
      ['open', 'lost'],
      ['needs-input', 'lost'],
    ]);
  });
});
