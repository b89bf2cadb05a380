import { expect, it } from 'vitest';
import { SessionCheck } from './sessionCheck.ts';

const timeout = Object.assign(new Error('Request timed out'), { code: 'REQUEST_TIMEOUT' });
const rpcError = Object.assign(new Error('Method not found'), { code: -32601 });

function check(responds: boolean, failure: Error, verdict?: 'no-answer' | 'session-gone') {
  const session = new SessionCheck(() => Promise.resolve(responds));
  const client = {
    ping: () => {
      if (verdict) session.pingFailed({ name: verdict, reason: { code: 'session-gone' } });
      return Promise.reject(failure);
    },
  };
  return () => session.run(client);
}

it('takes a session for alive when the ping is answered with a JSON-RPC error', async () => {
  expect(await check(true, rpcError)()).toEqual({ name: 'alive' });
});

it('takes a ping that times out for no answer: the server may hang', async () => {
  expect(await check(true, timeout)()).toMatchObject({ name: 'no-answer' });
});

it('takes a session for gone when the server says so', async () => {
  expect(await check(true, new Error('404'), 'session-gone')()).toMatchObject({ name: 'gone' });
});

it('takes a session for gone when its responses are blocked while the server responds', async () => {
  const run = check(true, new TypeError('Failed to fetch'), 'no-answer');
  expect((await run()).name).toBe('no-answer');
  expect((await run()).name).toBe('no-answer');
  expect(await run()).toMatchObject({ name: 'gone', reason: { code: 'session-blocked' } });
});

it('takes a session for alive when the server comes back between the ping and the probe', async () => {
  let isThere = false;
  const session = new SessionCheck(() => Promise.resolve((isThere = true)));
  const ping = () => {
    if (isThere) return Promise.resolve({});
    session.pingFailed({ name: 'no-answer', reason: { code: 'session-gone' } });
    return Promise.reject(new TypeError('Failed to fetch'));
  };
  const run = () => session.run({ ping });
  expect([(await run()).name, (await run()).name]).toEqual(['no-answer', 'no-answer']);
  expect(await run()).toEqual({ name: 'alive' });
});

it('waits for a server that does not respond at all', async () => {
  const run = check(false, new TypeError('Failed to fetch'), 'no-answer');
  for (let i = 0; i < 10; i += 1) expect((await run()).name).toBe('no-answer');
});
