/** The filter grammar of the timeline: `key:value`, words, "phrases", and a minus that turns each around. */
import type { LogEntry } from '../log/publicEntry.ts';

export type Filter = (entry: LogEntry) => boolean;

const KEYS = ['kind', 'method', 'stream', 'call', 'load', 'replayed', 'tool', 'status'] as const;
type Key = (typeof KEYS)[number];

const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi;

export function parseFilter(text: string): Filter {
  const terms = [...text.matchAll(TERM)].map(([, minus, key, phrase, word]) => {
    const value = (phrase ?? word ?? '').toLowerCase();
    const matches = key === undefined ? hasText(value) : hasValue(parseKey(key), value);
    return minus === '-' ? (entry: LogEntry) => !matches(entry) : matches;
  });
  return (entry) => terms.every((term) => term(entry));
}

function parseKey(key: string): Key {
  const known = KEYS.find((name) => name === key.toLowerCase());
  if (known) return known;
  throw new Error(
    `“${key}:” is not a key of the filter. It knows ${KEYS.map((name) => `${name}:`).join(' ')}`,
  );
}

function hasText(word: string): Filter {
  return (entry) => JSON.stringify(entry).toLowerCase().includes(word);
}

function hasValue(key: Key, value: string): Filter {
  return (entry) => {
    const actual = valueOf(entry, key);
    if (actual === undefined) return value === 'false' && key === 'replayed';
    return key === 'method' ? actual.includes(value) : actual === value;
  };
}

function valueOf(entry: LogEntry, key: Key): string | undefined {
  const value: unknown =
    key === 'tool' ? toolOf(entry) : Object.entries(entry).find(([name]) => name === FIELDS[key])?.[1];
  return value === undefined ? undefined : JSON.stringify(value).replaceAll('"', '').toLowerCase();
}

const FIELDS: Readonly<Record<Exclude<Key, 'tool'>, string>> = {
  kind: 'kind',
  method: 'method',
  stream: 'stream',
  call: 'callId',
  load: 'load',
  replayed: 'replayed',
  status: 'status',
};

function toolOf(entry: LogEntry): unknown {
  const params: unknown = entry.message && 'params' in entry.message ? entry.message.params : undefined;
  return typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
}
