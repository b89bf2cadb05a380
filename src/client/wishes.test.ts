import { describe, expect, it } from 'vitest';
import { reasonText } from '../log/reasonText.ts';
import {
  forNewSession,
  NO_WISHES,
  parseWishes,
  subscribe,
  subscriptionTold,
  unsubscribe,
  untold,
  withLevel,
} from './wishes.ts';

const AGREED = { name: 'agreed' } as const;
const REFUSED = {
  name: 'refused',
  reason: { code: 'wish-rejected', how: 'subscription', rpcCode: -32602, text: 'no' },
} as const;

describe('wishes', () => {
  it('are told once, and again to a new session', () => {
    const wished = withLevel(subscribe(subscribe(NO_WISHES, 'a'), 'b'), 'debug');
    expect(untold(wished)).toEqual({ subscriptions: ['a', 'b'], level: 'debug' });
    const told = withLevel(
      subscriptionTold(subscriptionTold(wished, 'a', AGREED), 'b', AGREED),
      'debug',
      AGREED,
    );
    expect(untold(told)).toEqual({ subscriptions: [] });
    expect(untold(forNewSession(told))).toEqual(untold(wished));
  });

  it('do not come back by an answer that comes after they were taken back', () => {
    const taken = unsubscribe(subscribe(NO_WISHES, 'a'), 'a');
    expect(subscriptionTold(taken, 'a', AGREED)).toEqual(NO_WISHES);
  });

  it('are not repeated to a server that refused them in this session', () => {
    const refused = subscribe(NO_WISHES, 'a', REFUSED);
    expect(untold(refused)).toEqual({ subscriptions: [] });
  });

  it('come back from storage as they were', () => {
    const wished = {
      ...withLevel(subscribe(subscribe(NO_WISHES, 'a', AGREED), 'b', REFUSED), 'error'),
      roots: [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }],
    };
    expect(parseWishes(structuredClone(wished))).toEqual(wished);
  });

  it('have the words of the server where an earlier build has stored nothing else', () => {
    const told = { name: 'refused', why: 'no' };
    const { level, subscriptions } = parseWishes({
      level: { name: 'debug', told },
      subscriptions: [{ uri: 'a', told }],
    });
    const sentences = [level, ...subscriptions].map(
      (wish) => wish?.told.name === 'refused' && reasonText(wish.told.reason),
    );
    expect(sentences).toEqual([
      'The server rejected the level: no',
      'The server rejected the subscription: no',
    ]);
  });

  it.each([undefined, 7, { subscriptions: [{}, 3], level: 'x', roots: {}, rules: 0 }])(
    'are none where nothing can be read: %j',
    (stored) => {
      expect(parseWishes(stored)).toEqual(NO_WISHES);
    },
  );
});
