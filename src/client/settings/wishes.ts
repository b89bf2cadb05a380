/**
 * What a person wants of a server beside calls. It is kept with the server and told to it again when it has restarted:
 * a server remembers none of it longer than its session.
 */
import { isObject, objectField, stringField } from '../../base/json.ts';
import type { Reason, ReasonOf } from '../../log/reasons/reason.ts';
import { isStoredReason } from './storedReason.ts';
import { DEFAULT_RULES, parseRules, type Rules } from './rules.ts';

/** Has the server been told? */
export type Told =
  | { readonly name: 'asking' }
  | { readonly name: 'agreed' }
  | { readonly name: 'refused'; readonly reason: Reason };

/** What a server is told by a request of its own. */
export type Wish = ReasonOf<'wish-rejected'>['how'];

export interface Subscription {
  readonly uri: string;
  readonly told: Told;
}

export interface RootWish {
  readonly uri: string;
  readonly name?: string;
}

export interface Wishes {
  readonly subscriptions: readonly Subscription[];
  readonly level?: { readonly name: string; readonly told: Told };
  readonly roots: readonly RootWish[];
  readonly rules: Rules;
}

export const NO_WISHES: Wishes = { subscriptions: [], roots: [], rules: DEFAULT_RULES };

const ASKING: Told = { name: 'asking' };

export function subscribe(wishes: Wishes, uri: string, told: Told = ASKING): Wishes {
  return { ...wishes, subscriptions: [...unsubscribe(wishes, uri).subscriptions, { uri, told }] };
}

export function unsubscribe(wishes: Wishes, uri: string): Wishes {
  return { ...wishes, subscriptions: wishes.subscriptions.filter((one) => one.uri !== uri) };
}

/** Only what is still wished for: it may have been taken back while the server was asked. */
export function subscriptionTold(wishes: Wishes, uri: string, told: Told): Wishes {
  return {
    ...wishes,
    subscriptions: wishes.subscriptions.map((one) => (one.uri === uri ? { uri, told } : one)),
  };
}

export function withLevel(wishes: Wishes, name: string, told: Told = ASKING): Wishes {
  return { ...wishes, level: { name, told } };
}

/** A new session knows nothing of what an earlier one was told. */
export function forNewSession(wishes: Wishes): Wishes {
  return {
    ...wishes,
    subscriptions: wishes.subscriptions.map(({ uri }) => ({ uri, told: ASKING })),
    ...(wishes.level && { level: { name: wishes.level.name, told: ASKING } }),
  };
}

/** What the server must still be told: a page may have left between the wish and the answer. */
export function untold(wishes: Wishes): {
  readonly subscriptions: readonly string[];
  readonly level?: string;
} {
  const { subscriptions, level } = wishes;
  return {
    subscriptions: subscriptions.filter(({ told }) => told.name === 'asking').map(({ uri }) => uri),
    ...(level?.told.name === 'asking' && { level: level.name }),
  };
}

export function parseWishes(value: unknown): Wishes {
  if (!isObject(value)) return NO_WISHES;
  const level = objectField(value, 'level');
  const levelName = stringField(level, 'name');
  return {
    subscriptions: items(value['subscriptions']).flatMap((one) => {
      const uri = stringField(one, 'uri');
      return uri === undefined ? [] : [{ uri, told: parseTold(objectField(one, 'told'), 'subscription') }];
    }),
    ...(levelName !== undefined && {
      level: { name: levelName, told: parseTold(objectField(level, 'told'), 'level') },
    }),
    roots: items(value['roots']).flatMap((one) => {
      const uri = stringField(one, 'uri');
      const name = stringField(one, 'name');
      return uri === undefined ? [] : [{ uri, ...(name !== undefined && { name }) }];
    }),
    rules: parseRules(value['rules']),
  };
}

function parseTold(value: unknown, how: Wish): Told {
  const name = stringField(value, 'name');
  if (name === 'agreed') return { name };
  if (name !== 'refused') return ASKING;
  // Earlier builds have stored the words of the server, and nothing beside them.
  const text = stringField(value, 'why');
  const reason = objectField(value, 'reason');
  if (isStoredReason(reason)) return { name, reason };
  return { name, reason: { code: 'wish-rejected', how, ...(text !== undefined && { text }) } };
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
