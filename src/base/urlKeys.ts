/** Keys in a URL: many hosted servers take theirs in the query, and some in front of the host. */
import { HIDDEN } from './hidden.ts';

/** The whole name, or a word of it: `key`, `api_key`, `accessToken`, `X-Amz-Signature`. */
const KEY_NAMES =
  /(^|[^a-z])(api)?keys?($|[^a-z])|apikey|token|secret|passw|passphrase|credential|signature|(^|[^a-z])(sig|auth|code|jwt|pat|pwd|sid|session(_?id)?)($|[^a-z])|authorization/i;
/** A shorter value without a name that tells is a word more often than a key. */
const RANDOM_CHARS = 20;

/** The values in a URL that must not be shown, decoded. */
export function keysOfUrl(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const { username, password, searchParams } = parsed;
  const values = [...searchParams].filter(([name, value]) => isKey(name, value)).map(([, value]) => value);
  return [decode(username), decode(password), ...values].filter((value) => value !== '' && value !== HIDDEN);
}

/** The whole URL in the place of one that was made of it by hiding its keys; any other stays as it is. */
export function restoreUrlKeys(shown: string, whole: string | undefined): string {
  if (whole === undefined || !lacksUrlKeys(shown)) return shown;
  return hideUrlKeys(whole) === hideUrlKeys(shown) ? whole : shown;
}

export function hasUrlKeys(url: string): boolean {
  return keysOfUrl(url).length > 0;
}

/** Does a placeholder stand where a key was? Then a request to this URL would fail. */
export function lacksUrlKeys(url: string): boolean {
  return url.includes(HIDDEN) || url.includes(encodeURIComponent(HIDDEN));
}

/** The URL as it may be shown: `https://host/mcp?api_key=‹redacted›`. */
export function hideUrlKeys(url: string): string {
  const [, scheme = '', userinfo = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(.*)$/is.exec(
    url,
  ) ?? ['', '', '', url];
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(rest) ?? [];
  const shown = query?.split('&').map(hideValue).join('&');
  return `${scheme}${userinfo === '' ? '' : `${HIDDEN}@`}${path}${shown === undefined ? '' : `?${shown}`}${fragment}`;
}

/** The URL without its keys, to be passed on. */
export function withoutUrlKeys(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const keys = [...parsed.searchParams].filter(([name, value]) => isKey(name, value));
  for (const [name] of keys) parsed.searchParams.delete(name);
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

function hideValue(part: string): string {
  const at = part.indexOf('=');
  if (at < 0) return part;
  const [name, value] = [part.slice(0, at), part.slice(at + 1)];
  return isKey(decode(name), decode(value)) ? `${name}=${HIDDEN}` : part;
}

function isKey(name: string, value: string): boolean {
  if (value === '' || value === HIDDEN) return value === HIDDEN;
  return KEY_NAMES.test(name.replace(/([a-z])([A-Z])/g, '$1_$2')) || looksRandom(value);
}

/** Long, in one piece, and of mixed characters, as generated keys are. */
function looksRandom(value: string): boolean {
  if (value.length < RANDOM_CHARS || !/^[\w.~+/=-]+$/.test(value)) return false;
  if (/^[0-9a-f-]+$/i.test(value)) return /\d/.test(value) && /[a-f]/i.test(value);
  return /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
