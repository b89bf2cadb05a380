/** Hides secrets in the free texts of an entry. IDs, names of members and codes stay: the log is folded by them. */
import type { EntryBody } from '../log/entry.ts';
import { hideInJson, type Hide } from './hideInJson.ts';

/** Members that hold text or data of a user or of a server. */
const TEXTS = new Set([
  ...['why', 'fix', 'paste', 'note', 'text', 'url', 'serverName', 'excerpt'],
  ...['tool', 'args', 'error', 'response', 'answer', 'problem', 'sent'],
]);
/** Unions inside of an entry, with texts of their own. */
const UNIONS = new Set(['state', 'change']);

export function hideInTexts(body: EntryBody, hide: Hide): EntryBody {
  return hideIn(body, hide) as EntryBody;
}

function hideIn(body: object, hide: Hide): object {
  const members = Object.entries(body).map(([name, member]: [string, unknown]) => {
    if (TEXTS.has(name)) return [name, hideInJson(member, hide)];
    return [name, UNIONS.has(name) && typeof member === 'object' && member ? hideIn(member, hide) : member];
  });
  return Object.fromEntries(members) as object;
}
