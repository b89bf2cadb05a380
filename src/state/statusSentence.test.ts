import { describe, expect, test } from 'vitest';
import type { ConnectionState } from '../log/state/connectionState.ts';
import { describeStatus, type StatusFacts } from './statusSentence.ts';
import { recorded, type Reason } from '../log/reasons/reason.ts';

const NOW = 1_000_000;
const say = (state: ConnectionState, facts: Partial<StatusFacts> = {}) =>
  describeStatus({
    state,
    url: 'http://127.0.0.1:3000/mcp',
    role: 'leads',
    now: NOW,
    namesPositions: true,
    unfollowed: 0,
    ...facts,
  });
const resumed = (recovered: number): ConnectionState => ({ name: 'connected', how: 'resumed', recovered });

describe('the status sentence', () => {
  test.each<[string, ConnectionState, Partial<StatusFacts>?]>([
    ['Not connected', { name: 'idle' }],
    ['Connecting to 127.0.0.1:3000…', { name: 'connecting', url: 'http://127.0.0.1:3000/mcp' }],
    [
      'Login needed. The server asks for it.',
      { name: 'authorizing', reason: recorded('The server asks for it.'), ask: 'login' },
    ],
    ['Connected', { name: 'connected', how: 'fresh' }],
    ['Reconnected. Recovered 5 missed events.', resumed(5)],
    ['Reconnected. Recovered 1 missed event.', resumed(1)],
    ['Reconnected.', resumed(0)],
    ['Reconnected. 1 task resumed.', resumed(0), { tasks: 1 }],
    [
      'Reconnected. 1 call cancelled by the reload.',
      { name: 'connected', how: 'resumed', reason: { code: 'reloaded', how: 'page', cancelled: 1 } },
    ],
    ['Reconnected. 1 call couldn’t be resumed.', resumed(0), { unfollowed: 1 }],
    ['Reconnected. Recovered 5 missed events. 2 calls couldn’t be resumed.', resumed(5), { unfollowed: 2 }],
    ['Reconnected. This server can’t replay missed events.', resumed(0), { namesPositions: false }],
    [
      'Server restarted: 2 calls lost, 1 input request expired, lists refreshed.',
      {
        name: 'connected',
        how: 'restarted',
        reason: { code: 'session-gone' },
        cost: { callsLost: 2, questionsExpired: 1, hasLists: true },
      },
    ],
    [
      'Reconnecting in 2 s (attempt 3). The server still holds the old stream (409).',
      {
        name: 'reconnecting',
        attempt: 3,
        retryAt: NOW + 1_700,
        reason: recorded('The server still holds the old stream (409).'),
      },
    ],
    [
      'Reconnecting in 400 ms (attempt 2). No answer.',
      { name: 'reconnecting', attempt: 2, retryAt: NOW + 400, reason: recorded('No answer.') },
    ],
    [
      'Reconnecting (attempt 4). No answer.',
      { name: 'reconnecting', attempt: 4, retryAt: NOW - 1, reason: recorded('No answer.') },
    ],
    [
      'Reconnecting. Page reloaded.',
      { name: 'reconnecting', attempt: 1, retryAt: NOW, reason: recorded('Page reloaded.') },
    ],
    ['Disconnected. You left.', { name: 'disconnected', reason: recorded('You left.') }],
    ['Disconnected', { name: 'disconnected', reason: { code: 'user-disconnected', how: 'connection' } }],
    [
      'Can’t connect. No response from 127.0.0.1:1.',
      { name: 'failed', reason: { code: 'unreachable', how: 'http', host: '127.0.0.1:1' } },
    ],
  ])('%s', (sentence, state, facts) => {
    expect(say(state, facts).sentence).toBe(sentence);
  });

  test('a failure comes with its fix', () => {
    expect(say({ name: 'failed', reason: recorded('No.', undefined, 'Start the server.') })).toMatchObject({
      tone: 'bad',
      fix: 'Start the server.',
    });
  });

  test('a page that has only read the log does not call itself connected', () => {
    const status = say({ name: 'connected', how: 'fresh' }, { role: 'undecided' });
    expect(status).toEqual({ tone: 'busy', sentence: 'Reconnecting to 127.0.0.1:3000…' });
  });

  test('a following tab says who leads', () => {
    expect(say({ name: 'connected', how: 'fresh' }, { role: 'follows' }).sentence).toBe(
      'Connected. Another tab owns this connection.',
    );
  });
});

test('a server that only a page can’t reach is offered through the bridge, without its key', () => {
  const failed = (reason: Reason) =>
    say({ name: 'failed', reason }, { url: 'https://a.example/mcp?api_key=KEY-IN-URL-42' }).bridge;
  expect(failed({ code: 'cors', how: 'answers' })).toBe(
    "npx mcp-reprise bridge 'https://a.example/mcp?api_key=‹redacted›'",
  );
  expect(failed({ code: 'unreachable', how: 'http' })).toBeUndefined();
});
