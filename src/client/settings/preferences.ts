/**
 * What a person wants of a server beside calls. It is kept with the server and told to it again when it has restarted:
 * a server remembers none of it longer than its session.
 */
import { isObject, objectField, stringField } from '../../base/json.ts';
import type { Reason, ReasonOf } from '../../log/reasons/reason.ts';
import { isStoredReason } from './storedReason.ts';
import { DEFAULT_RULES, parseRules, type Rules } from './rules.ts';

/** Has the server been told? */
export type Acknowledgement =
  | { readonly name: 'asking' }
  | { readonly name: 'agreed' }
  | { readonly name: 'refused'; readonly reason: Reason };

/** What a server is told by a request of its own. */
export type Preference = ReasonOf<'wish-rejected'>['how'];

export interface Subscription {
  readonly uri: string;
  readonly told: Acknowledgement;
}

export interface Root {
  readonly uri: string;
  readonly name?: string;
}

export interface ServerPreferences {
  readonly subscriptions: readonly Subscription[];
  readonly level?: { readonly name: string; readonly told: Acknowledgement };
  readonly roots: readonly Root[];
  readonly rules: Rules;
}

export const NO_PREFERENCES: ServerPreferences = { subscriptions: [], roots: [], rules: DEFAULT_RULES };

const ASKING: Acknowledgement = { name: 'asking' };

export function subscribe(
  preferences: ServerPreferences,
  uri: string,
  told: Acknowledgement = ASKING,
): ServerPreferences {
  return { ...preferences, subscriptions: [...unsubscribe(preferences, uri).subscriptions, { uri, told }] };
}

export function unsubscribe(preferences: ServerPreferences, uri: string): ServerPreferences {
  return { ...preferences, subscriptions: preferences.subscriptions.filter((one) => one.uri !== uri) };
}

/** Only what is still wished for: it may have been taken back while the server was asked. */
export function subscriptionAcknowledged(
  preferences: ServerPreferences,
  uri: string,
  told: Acknowledgement,
): ServerPreferences {
  return {
    ...preferences,
    subscriptions: preferences.subscriptions.map((one) => (one.uri === uri ? { uri, told } : one)),
  };
}

export function withLevel(
  preferences: ServerPreferences,
  name: string,
  told: Acknowledgement = ASKING,
): ServerPreferences {
  return { ...preferences, level: { name, told } };
}

/** A new session knows nothing of what an earlier one was told. */
export function forNewSession(preferences: ServerPreferences): ServerPreferences {
  return {
    ...preferences,
    subscriptions: preferences.subscriptions.map(({ uri }) => ({ uri, told: ASKING })),
    ...(preferences.level && { level: { name: preferences.level.name, told: ASKING } }),
  };
}

/** What the server must still be told: a page may have left between the preference and the answer. */
export function unacknowledged(preferences: ServerPreferences): {
  readonly subscriptions: readonly string[];
  readonly level?: string;
} {
  const { subscriptions, level } = preferences;
  return {
    subscriptions: subscriptions.filter(({ told }) => told.name === 'asking').map(({ uri }) => uri),
    ...(level?.told.name === 'asking' && { level: level.name }),
  };
}

export function parsePreferences(value: unknown): ServerPreferences {
  if (!isObject(value)) return NO_PREFERENCES;
  const level = objectField(value, 'level');
  const levelName = stringField(level, 'name');
  return {
    subscriptions: items(value['subscriptions']).flatMap((one) => {
      const uri = stringField(one, 'uri');
      return uri === undefined
        ? []
        : [{ uri, told: parseAcknowledgement(objectField(one, 'told'), 'subscription') }];
    }),
    ...(levelName !== undefined && {
      level: { name: levelName, told: parseAcknowledgement(objectField(level, 'told'), 'level') },
    }),
    roots: items(value['roots']).flatMap((one) => {
      const uri = stringField(one, 'uri');
      const name = stringField(one, 'name');
      return uri === undefined ? [] : [{ uri, ...(name !== undefined && { name }) }];
    }),
    rules: parseRules(value['rules']),
  };
}

function parseAcknowledgement(value: unknown, how: Preference): Acknowledgement {
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
