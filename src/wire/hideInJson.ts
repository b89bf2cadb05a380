/** Hides secrets in decoded JSON, in names as well as in values, so that what is left is JSON whatever a secret is. */
import { HIDDEN } from '../base/hidden.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { PROTOCOL_WORDS } from './protocolWords.ts';

export type Hide = (text: string) => string;

/** Deeper than this nothing can be printed again safely. Only a message with a secret in it is cut. */
const MAX_DEPTH = 1000;

/** @returns the same value where there was nothing to hide */
export function hideInJson<T>(value: T, hide: Hide): T {
  return walk(value, hide, 0) as T;
}

/** What a server wants to get back as it was: with a part of it hidden, the answer would not find its request. */
const SENT_BACK = new Set(['requestId', 'taskId', 'requestState', 'progressToken']);

/** @param hideInIds for what is sent back as it came */
export function hideInMessage<T extends JsonObject>(message: T, hide: Hide, hideInIds: Hide): T {
  return mapMembers(message, (member, name) => {
    if (name === 'id') return walk(member, hideInIds, 1);
    return isObject(member) ? hideInBody(member, hide, hideInIds) : walk(member, hide, 1);
  });
}

/** In `params` or `result`; a task of 2025-11-25 has its ID one level deeper. */
function hideInBody(body: JsonObject, hide: Hide, hideInIds: Hide): JsonObject {
  const { task } = body;
  const safe = mapMembers(body, (member, name) => {
    if (SENT_BACK.has(name)) return walk(member, hideInIds, 2);
    return name === 'task' && isObject(task) ? hideInBody(task, hide, hideInIds) : walk(member, hide, 2);
  });
  return withSafeNames(safe, hide);
}

function walk(value: unknown, hide: Hide, depth: number): unknown {
  if (typeof value === 'string') return PROTOCOL_WORDS.has(value) ? value : hide(value);
  if (typeof value === 'number') return hide(String(value)) === String(value) ? value : HIDDEN;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => walk(item, hide, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  return withSafeNames(
    mapMembers(value as JsonObject, (member) => walk(member, hide, depth + 1)),
    hide,
  );
}

function mapMembers<T extends JsonObject>(value: T, map: (member: unknown, name: string) => unknown): T {
  let isChanged = false;
  const members = Object.entries(value).map(([name, member]) => {
    const next = map(member, name);
    isChanged ||= next !== member;
    return [name, next] as const;
  });
  return isChanged ? (Object.fromEntries(members) as T) : value;
}

function withSafeNames(value: JsonObject, hide: Hide): JsonObject {
  const names = Object.keys(value);
  const safe = names.map((name) => (PROTOCOL_WORDS.has(name) ? name : hide(name)));
  if (safe.every((name, i) => name === names[i])) return value;
  const members = new Map<string, unknown>();
  names.forEach((name, i) => members.set(freeName(safe[i] ?? HIDDEN, members), value[name]));
  return Object.fromEntries(members);
}

/** Two names that are hidden must not become one. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let n = 2; taken.has(free); n += 1) free = `${name} ${n}`;
  return free;
}
