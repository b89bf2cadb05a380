import { expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { ServerLog } from '../recorder/serverLog.ts';
import { settled, testLog } from '../recorder/testing/testLog.ts';
import { keepDemoAwake } from './demoAwake.ts';
import { FrameBatcher } from '../base/frameBatcher.ts';
import { recorded } from '../log/reasons/reason.ts';

const DEMO = 'http://localhost/demo/mcp';
const atOnce = { now: () => Infinity, requestFrame: run, after: () => () => undefined };

function run(fn: () => void) {
  queueMicrotask(fn);
  return () => undefined;
}

function begin(log: ServerLog, callId: string) {
  const change = { name: 'sending', tool: 'countdown', args: {}, timeoutMs: 1, repeatable: true } as const;
  log.append({ body: { kind: 'call', callId, change } });
}

const end = (log: ServerLog, callId: string) =>
  log.append({ body: { kind: 'call', callId, change: { name: 'cancelled', reason: recorded('Enough.') } } });

function setUp(url: string) {
  const log = testLog(systemClock, { server: 'demo' });
  const workspace = { changed: new Emitter<undefined>(), servers: [{ url, log }] };
  const letSleep = vi.fn();
  const keepAwake = vi.fn(() => letSleep);
  keepDemoAwake(workspace, new FrameBatcher(atOnce), (address) => address === DEMO, keepAwake);
  return { log, keepAwake, letSleep };
}

test('the demo is kept awake while any call to it is open, and no longer', async () => {
  const { log, keepAwake, letSleep } = setUp(DEMO);
  begin(log, 'a');
  begin(log, 'b');
  await settled();
  expect(keepAwake).toHaveBeenCalledTimes(1);
  end(log, 'a');
  await settled();
  expect(letSleep).not.toHaveBeenCalled();
  end(log, 'b');
  await settled();
  expect(letSleep).toHaveBeenCalledTimes(1);
});

test('calls to other servers leave it asleep', async () => {
  const { log, keepAwake } = setUp('http://localhost:3000/mcp');
  begin(log, 'a');
  await settled();
  expect(keepAwake).not.toHaveBeenCalled();
});
