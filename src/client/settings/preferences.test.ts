import { describe, expect, it } from 'vitest';
import { reasonText } from '../../log/reasons/reasonText.ts';
import {
  forNewSession,
  NO_PREFERENCES,
  parsePreferences,
  subscribe,
  subscriptionAcknowledged,
  unsubscribe,
  unacknowledged,
  withLevel,
} from './preferences.ts';

const AGREED = { name: 'agreed' } as const;
const REFUSED = {
  name: 'refused',
  reason: { code: 'wish-rejected', how: 'subscription', rpcCode: -32602, text: 'no' },
} as const;

describe('preferences', () => {
  it('are told once, and again to a new session', () => {
    const wanted = withLevel(subscribe(subscribe(NO_PREFERENCES, 'a'), 'b'), 'debug');
    expect(unacknowledged(wanted)).toEqual({ subscriptions: ['a', 'b'], level: 'debug' });
    const told = withLevel(
      subscriptionAcknowledged(subscriptionAcknowledged(wanted, 'a', AGREED), 'b', AGREED),
      'debug',
      AGREED,
    );
    expect(unacknowledged(told)).toEqual({ subscriptions: [] });
    expect(unacknowledged(forNewSession(told))).toEqual(unacknowledged(wanted));
  });

  it('do not come back by an answer that comes after they were taken back', () => {
    const taken = unsubscribe(subscribe(NO_PREFERENCES, 'a'), 'a');
    expect(subscriptionAcknowledged(taken, 'a', AGREED)).toEqual(NO_PREFERENCES);
  });

  it('are not repeated to a server that refused them in this session', () => {
    const refused = subscribe(NO_PREFERENCES, 'a', REFUSED);
    expect(unacknowledged(refused)).toEqual({ subscriptions: [] });
  });

  it('come back from storage as they were', () => {
    const wanted = {
      ...withLevel(subscribe(subscribe(NO_PREFERENCES, 'a', AGREED), 'b', REFUSED), 'error'),
      roots: [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }],
    };
    expect(parsePreferences(structuredClone(wanted))).toEqual(wanted);
  });

  it('have the words of the server where an earlier build has stored nothing else', () => {
    const told = { name: 'refused', why: 'no' };
    const { level, subscriptions } = parsePreferences({
      level: { name: 'debug', told },
      subscriptions: [{ uri: 'a', told }],
    });
    const sentences = [level, ...subscriptions].map(
      (preference) => preference?.told.name === 'refused' && reasonText(preference.told.reason),
    );
    expect(sentences).toEqual([
      'The server rejected the level: no',
      'The server rejected the subscription: no',
    ]);
  });

  it.each([undefined, 7, { subscriptions: [{}, 3], level: 'x', roots: {}, rules: 0 }])(
    'are none where nothing can be read: %j',
    (stored) => {
      expect(parsePreferences(stored)).toEqual(NO_PREFERENCES);
    },
  );
});
