import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { Log } from '../../log/log.ts';
import { EarlierResults } from './earlierResults.ts';

const clock: Clock = { now: () => 1, after: () => () => undefined, random: () => 0 };

/** The log of a page that came after the one that made the call. */
function restoredLog(): Log {
  const before = new Log('s1', clock);
  const begun = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
  const message = { jsonrpc: '2.0', id: 'c1', result: { content: [] } };
  const response = { stream: 'c1', callId: 'c1', raw: JSON.stringify(message) };
  before.append(
    { body: { kind: 'call', callId: 'c1', change: begun } },
    { body: { kind: 'received', ...response }, message },
  );
  return new Log('s1', clock, { state: before.state.snapshot(), tail: [] });
}

describe('EarlierResults', () => {
  it('says that a result is gone, if its entry was removed', async () => {
    const log = restoredLog();
    const results = new EarlierResults({
      log,
      segments: () => [],
      readEntry: () => Promise.resolve(undefined),
    });
    await results.load('c1');
    expect(log.state.calls.get('c1')).toMatchObject({ name: 'settled', isResultRemoved: true });
  });
});
