import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { testLog } from '../../recorder/testing/testLog.ts';
import { EarlierResults } from './earlierResults.ts';

const clock: Clock = { now: () => 1, after: () => () => undefined, random: () => 0 };

/** The log of a page that came after the one that made the call. */
async function restoredLog(): Promise<ServerLog> {
  const before = testLog(clock);
  const begun = { name: 'sending', tool: 't', args: {}, timeoutMs: 1, repeatable: false } as const;
  const message = { jsonrpc: '2.0', id: 'c1', result: { content: [] } };
  const response = { stream: 'c1', callId: 'c1', raw: JSON.stringify(message) };
  before.append(
    { body: { kind: 'call', callId: 'c1', change: begun } },
    { body: { kind: 'received', ...response }, message },
  );
  await before.folded();
  return testLog(clock, { restored: { state: before.state.snapshot(), tail: [] } });
}

describe('EarlierResults', () => {
  it('says that a result is gone, if its entry was removed', async () => {
    const log = await restoredLog();
    const results = new EarlierResults({
      log,
      segments: () => [],
      readEntry: () => Promise.resolve(undefined),
    });
    await results.load('c1');
    expect(log.state.calls.get('c1')).toMatchObject({ name: 'settled', isResultRemoved: true });
  });
});
