/** Hides secrets in the free texts of an entry. IDs, names of members and codes stay: the log is folded by them. */
import type { EntryBody } from '../log/entry/entry.ts';
import { WORDS } from '../log/reasons/reasonWords.ts';
import { hideInJson, type Hide } from './hideInJson.ts';

/** Members that hold text or data of a user or of a server. */
const TEXTS = new Set([
  ...['paste', 'url', 'serverName', 'excerpt'],
  ...['tool', 'args', 'error', 'response', 'answer', 'sent', 'appText', 'uri'],
]);
/** Unions inside of an entry, with texts of their own. */
const UNIONS = new Set(['state', 'change']);
/** What happened and what it has cost: facts, and a server's text may be among them. */
const FACTS = new Set(['reason', 'cost']);

export function hideInTexts(body: EntryBody, hide: Hide): EntryBody {
  return hideIn(body, hide) as EntryBody;
}

function hideIn(body: object, hide: Hide): object {
  const members = Object.entries(body).map(([name, member]: [string, unknown]) => {
    if (TEXTS.has(name)) return [name, hideInJson(member, hide)];
    if (typeof member !== 'object' || member === null) return [name, member];
    if (FACTS.has(name)) return [name, hideInFacts(member, hide)];
    return [name, UNIONS.has(name) ? hideIn(member, hide) : member];
  });
  return Object.fromEntries(members) as object;
}

/** In a reason, or in what coming back has cost. */
export function hideInFacts<T>(facts: T, hide: Hide): T {
  return walk(facts, hide) as T;
}

function walk(facts: unknown, hide: Hide): unknown {
  if (typeof facts === 'string') return hide(facts);
  if (Array.isArray(facts)) return facts.map((fact: unknown) => walk(fact, hide));
  if (typeof facts !== 'object' || facts === null) return facts;
  const members = Object.entries(facts).map(([name, fact]: [string, unknown]) => [
    name,
    WORDS.has(name) ? fact : walk(fact, hide),
  ]);
  return Object.fromEntries(members) as object;
}
