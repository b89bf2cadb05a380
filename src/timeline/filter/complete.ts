/** What could be typed next at the caret of a filter. */
import type { LogIndex } from '../logIndex.ts';
import { LANE_KINDS } from '../drawnKind.ts';
import { KEYS, type Key } from './query.ts';

export interface Completion {
  /** What is shown, and what is put in the place of `from`…`to`. */
  readonly text: string;
  readonly hint: string;
  readonly from: number;
  readonly to: number;
}

const HINTS: Readonly<Record<Key, string>> = {
  kind: 'entry kind',
  method: 'JSON-RPC or HTTP method',
  tool: 'tool name',
  stream: 'stream ID, or “get” for the standalone stream',
  call: 'call ID or its last characters',
  lane: 'timeline lane',
  load: 'page load: 2, >1',
  status: 'HTTP status: 200, 4xx, >=400',
  dur: 'duration: >500, >2s',
  size: 'message size: >10k',
  replayed: 'true or false',
  reason: 'why it happened, e.g. session-ended',
};

const MOST = 12;

export function completeQuery(
  text: string,
  caret: number,
  index: LogIndex | undefined,
): readonly Completion[] {
  const before = text.slice(0, caret);
  const [typed = ''] = /\S*$/.exec(before) ?? [];
  const start = caret - typed.length;
  const [, minus = '', key, value = ''] = /^(-?)(?:([a-z]+):)?(\S*)$/i.exec(typed) ?? [];
  if (value.startsWith('"') || value.startsWith('/')) return [];
  const [rest = ''] = /^\S*/.exec(text.slice(caret)) ?? [];
  const to = caret + rest.length;
  if (key === undefined) {
    return KEYS.filter((name) => name.startsWith(value.toLowerCase())).map((name) => ({
      text: `${name}:`,
      hint: HINTS[name],
      from: start + minus.length,
      to,
    }));
  }
  const known = KEYS.find((name) => name === key.toLowerCase());
  if (!known) return [];
  const [last = ''] = /[^,]*$/.exec(value) ?? [];
  const wanted = last.toLowerCase();
  const values = valuesOf(known, index).map((one) => one.toLowerCase());
  // Nothing is offered to somebody who has typed a whole one, or a whole part of a path.
  if (values.some((one) => one === wanted || one.split('/').includes(wanted))) return [];
  return values
    .filter((one) => one.includes(wanted))
    .slice(0, MOST)
    .map((one) => ({ text: `${one} `, hint: HINTS[known], from: caret - last.length, to }));
}

function valuesOf(key: Key, index: LogIndex | undefined): readonly string[] {
  switch (key) {
    case 'lane':
      return LANE_KINDS;
    case 'replayed':
      return ['true', 'false'];
    case 'dur':
      return ['>100', '>500', '>2s'];
    case 'size':
      return ['>1k', '>10k', '>1m'];
    case 'tool':
      return unique([...(index?.exchanges.calls.values() ?? [])].map(({ tool }) => tool));
    case 'kind':
    case 'method':
    case 'stream':
    case 'load':
    case 'status':
    case 'reason':
      return fromShapes(index, key);
    case 'call':
      return [...(index?.exchanges.calls.keys() ?? [])].reverse();
  }
}

function fromShapes(
  index: LogIndex | undefined,
  key: 'kind' | 'method' | 'stream' | 'load' | 'status' | 'reason',
): readonly string[] {
  if (!index) return [];
  const values: string[] = [];
  for (let i = 0; i < index.shapes.length; i += 1) values.push(String(index.shapes.at(i)[key]));
  return [...unique(values.filter((value) => value !== '' && value !== '0'))].sort();
}

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
