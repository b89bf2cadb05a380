import { describe, expect, test } from 'vitest';
import { chooseEra, judgeGet, type EraChoice, type SessionTry } from './chooseEra.ts';

describe('a server that answers server/discover is used', () => {
  test.each<[string, SessionTry, Pick<EraChoice, 'era' | 'sessions'>]>([
    [
      'with sessions, where they have event IDs',
      { kind: 'opened', hasSessionId: true, sendsEventIds: true },
      { era: 'session', sessions: 'resumable' },
    ],
    [
      'stateless, where its sessions have no event IDs',
      { kind: 'opened', hasSessionId: true, sendsEventIds: false },
      { era: 'stateless', sessions: 'no-event-ids' },
    ],
    [
      'stateless, where it accepts initialize without a session',
      { kind: 'opened', hasSessionId: false, sendsEventIds: true },
      { era: 'stateless', sessions: 'none' },
    ],
    [
      'stateless, where it rejects initialize',
      { kind: 'rejected', status: 400 },
      { era: 'stateless', sessions: 'none' },
    ],
    [
      'stateless, where it shows no sign of sessions',
      { kind: 'untried', status: 405 },
      { era: 'stateless', sessions: 'untried' },
    ],
    [
      'stateless, where it does not respond to initialize',
      { kind: 'no-answer', error: new Error('late') },
      { era: 'stateless', sessions: 'unknown' },
    ],
  ])('%s', (_, tried, choice) => {
    expect(chooseEra(tried)).toMatchObject(choice);
  });

  test.each([200, 404, 405, 501])(
    'stateless, and gets no initialize, where it responds to GET with %i',
    (status) => {
      expect(judgeGet(status)).toEqual({ kind: 'untried', status });
    },
  );

  test.each([400, 401, 403, 406, 409])(
    'after a try of initialize, where it responds to GET with %i',
    (status) => {
      expect(judgeGet(status)).toBeUndefined();
    },
  );

  test.each([undefined, 429, 503])('stateless, where its response to GET is %s', (status) => {
    expect(judgeGet(status)).toMatchObject({ kind: 'no-answer' });
  });

  test('without a claim about sessions where nothing was seen', () => {
    expect(chooseEra({ kind: 'no-answer', error: undefined }).tried).toEqual({ how: 'no-answer' });
    expect(chooseEra({ kind: 'rejected', status: 404 }).tried).toEqual({
      how: 'rejected',
      status: 404,
    });
  });
});
