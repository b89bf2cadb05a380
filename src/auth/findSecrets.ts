/** Secrets in an OAuth request or response of any shape, so that the redactor knows them when they are echoed. Pure. */
import { isObject } from '../base/json.ts';

/** Compared without case, underscores and hyphens: `access_token`, `accessToken`, `Access-Token`. */
const SECRET_NAME =
  /(token|secret|verifier|assertion|password|passwd|apikey|privatekey|devicecode|credential)s?$/;
const PUBLIC_NAME = /^(clientid|scope|tokentype|error|errordescription|errorcode|clientname)$/;
/** `"token": "invalid"` says something about a token. Hiding the word would hide it in every other entry. */
const WORD = /^[a-z_]{1,15}$|\s/;
const MIN_LENGTH = 12;
/** Each is searched for in every later entry: a server must not be able to make that slow. */
const MAX_FOUND = 100;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(plain(name));
}

/** Long, without spaces, with digits: no word, and no plain URL. */
export function looksLikeSecret(value: string): boolean {
  if (value.length < MIN_LENGTH || /\s/.test(value) || /^(https?:\/\/|urn:)/i.test(value)) return false;
  return /\d/.test(value) || value.length >= 40;
}

/** What is searched: credentials may have any name, public documents hold secrets only by mistake. */
export type Searched = 'credentials' | 'document';

/** The secrets in JSON (also nested, also cut off), in a form, or in a body that is one token. */
export function findSecrets(text: string, searched: Searched): string[] {
  const isSecret = (name: string, value: string): boolean =>
    (isSecretName(name) && !WORD.test(value)) ||
    (searched === 'credentials' && !PUBLIC_NAME.test(plain(name)) && looksLikeSecret(value));
  const named = pairsIn(text).filter(([name, value]) => isSecret(name, value));
  const bare = text.trim();
  const isBare = searched === 'credentials' && looksLikeSecret(bare) && !/[<{[="]/.test(bare);
  return [...named.map(([, value]) => value), ...(isBare ? [bare] : [])].slice(0, MAX_FOUND);
}

type Pair = readonly [name: string, value: string];

function pairsIn(text: string): Pair[] {
  try {
    return inJson(JSON.parse(text) as unknown);
  } catch {
    return [...inBrokenJson(text), ...inForm(text)];
  }
}

/** With a list instead of a recursion: a document may be deeper than the stack. */
function inJson(root: unknown): Pair[] {
  const found: Pair[] = [];
  const open: [name: string, value: unknown][] = [['', root]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value] = next;
    if (typeof value === 'string') found.push([name, value]);
    else if (Array.isArray(value)) for (const item of value) open.push([name, item]);
    else if (isObject(value)) for (const field of Object.entries(value)) open.push(field);
  }
  return found;
}

/** `"name": "value"` wherever it stands; the end of the text may be the end of the value. */
function inBrokenJson(text: string): Pair[] {
  const pairs = text.matchAll(/"([\w-]{1,60})"\s*:\s*"((?:[^"\\]|\\.)*)/g);
  return [...pairs].map(([, name = '', value = '']) => [name, unescape(value)]);
}

function inForm(text: string): Pair[] {
  return /^[\w.-]{1,60}=/.test(text) ? [...new URLSearchParams(text)] : [];
}

function unescape(value: string): string {
  try {
    return String(JSON.parse(`"${value}"`));
  } catch {
    return value;
  }
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
