/** Secrets end here: what the recorder lets through is safe to store, to show and to export. */
import { Emitter } from '../base/emitter.ts';
import { HIDDEN } from '../base/hidden.ts';
import type { JsonObject } from '../base/json.ts';
import { isSecretField } from '../base/secretFields.ts';
import { hideUrlKeys, keysOfUrl } from '../base/urlKeys.ts';
import type { Entry, EntryBody } from '../log/entry/entry.ts';
import { isRedactedByRecorder } from '../log/entry/entryKinds.ts';
import { hideInJson, hideInMessage } from './hideInJson.ts';
import { hideInTexts } from './hideInTexts.ts';
import { redactEntry } from './redactEntry.ts';
import { SecretForms } from './secretForms.ts';
import { secretParts } from './secretParts.ts';

/** Shorter values would hide half of every message, and are no secrets. */
const SHORTEST_SECRET = 6;
/** A long-lived page looks for the newest of what changes all the time. */
const MOST_SESSIONS = 5;
const MOST_ARGUMENTS = 50;
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);
const SESSION_HEADER = 'mcp-session-id';
const NOTHING = new SecretForms([]);

export interface TypedSecrets {
  readonly bearer?: string;
  readonly clientSecret?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Kept apart by how long they are looked for. */
export type SecretSource = 'credentials' | 'session' | 'arguments';

export interface Learned {
  readonly source: SecretSource;
  readonly values: readonly string[];
}

const MOST: Readonly<Record<SecretSource, number>> = {
  credentials: Infinity,
  session: MOST_SESSIONS,
  arguments: MOST_ARGUMENTS,
};

export class Redactor {
  /** Secrets that were not known before. */
  readonly learned = new Emitter<Learned>();
  readonly #secrets: Record<SecretSource, readonly string[]> = {
    credentials: [],
    session: [],
    arguments: [],
  };
  #secretHeaders: ReadonlySet<string> = SECRET_HEADERS;
  #all = NOTHING;
  /** Without session IDs: many servers build their own IDs from them, and want these back as they are. */
  #withoutSession = NOTHING;

  /** Headers that a user typed in are secret too, by name and by value. */
  protect({ bearer, clientSecret, headers = {} }: TypedSecrets): void {
    const typed = [bearer, clientSecret].filter((value) => value !== undefined);
    this.protectValues([...typed, ...Object.values(headers).flatMap(secretParts)]);
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    this.#secretHeaders = new Set([...SECRET_HEADERS, ...names]);
  }

  /** Secrets that come by later: tokens, codes. A server may send back what it was sent. */
  protectValues(values: readonly string[]): void {
    this.learn({ source: 'credentials', values });
  }

  /** Keys that are a part of the server URL. */
  protectUrl(url: string): void {
    this.protectValues(keysOfUrl(url));
  }

  /** The session ID of an exchange, from its headers: with it, anybody can join the session. */
  protectSession(...headers: readonly Headers[]): void {
    this.protectSessionIds(headers.flatMap((one) => one.get(SESSION_HEADER) ?? []));
  }

  protectSessionIds(ids: readonly string[]): void {
    if (ids.some((id) => !this.#secrets.session.includes(id))) this.learn({ source: 'session', values: ids });
  }

  /** What was typed into secret fields of a tool or of a question. */
  protectArguments(values: readonly string[]): void {
    this.learn({ source: 'arguments', values });
  }

  text(text: string): string {
    return this.#all.hide(text);
  }

  url(url: string): string {
    return this.text(hideUrlKeys(url));
  }

  /** Does this text have to be looked at before it's kept? */
  mayHide(text: string): boolean {
    return this.#all.mayBeIn(text);
  }

  /** A message and its text as both may be kept. Most have nothing to hide, and are not walked through. */
  message<T extends JsonObject>(message: T, raw: string): { readonly message: T; readonly raw: string } {
    if (!this.#all.mayBeIn(raw)) return { message, raw };
    const safe = hideInMessage(
      message,
      (text) => this.#all.hide(text),
      (text) => this.#withoutSession.hide(text),
    );
    // A number that can't be told exactly may hold digits of a secret in its text alone.
    if (safe !== message || this.#all.isPlainIn(raw)) return { message: safe, raw: JSON.stringify(safe) };
    return { message, raw };
  }

  /** Anything else that is kept: lists, what a server says of itself. */
  value<T>(value: T): T {
    return hideInJson(value, (text) => this.#all.hide(text));
  }

  /** The body of an entry; messages and exchanges are redacted where they are read. */
  body(body: EntryBody): EntryBody {
    if (isRedactedByRecorder(body)) return body;
    return hideInTexts(body, (text) => this.#all.hide(text));
  }

  /** An entry that is stored already, as it may be shared: secrets in IDs are hidden too. */
  entry(entry: Entry): Entry {
    return redactEntry(entry, {
      text: (text) => this.text(text),
      url: (url) => this.url(url),
      mayBeIn: (text) => this.#all.mayBeIn(text),
    });
  }

  headers(headers: Headers): Record<string, string> {
    const safe: Record<string, string> = {};
    for (const [name, value] of headers) safe[name] = this.#header(name, value);
    return safe;
  }

  #header(name: string, value: string): string {
    // Only a scheme that something follows is shown: without one, the first word is the secret.
    if (name === 'authorization') return value.replace(/^([A-Za-z][\w-]*\s+)?[^]*$/, `$1${HIDDEN}`);
    if (this.#secretHeaders.has(name) || isSecretParameter(name)) return HIDDEN;
    // Its beginning is enough to tell two sessions apart.
    if (name === SESSION_HEADER && value.length > 8) return `${value.slice(0, 8)}…`;
    return this.text(value);
  }

  /** All that is known: another redactor that learns it hides the same. */
  get known(): readonly Learned[] {
    return Object.entries(this.#secrets).map(([source, values]) => ({
      source: source as SecretSource,
      values,
    }));
  }

  learn({ source, values }: Learned): void {
    const known = this.#secrets[source];
    const fresh = values.filter((value) => value.length >= SHORTEST_SECRET && !known.includes(value));
    if (fresh.length === 0) return;
    this.#secrets[source] = [...known, ...new Set(fresh)].slice(-MOST[source]);
    const { credentials, session, arguments: typed } = this.#secrets;
    this.#all = new SecretForms([...credentials, ...session, ...typed]);
    this.#withoutSession = new SecretForms([...credentials, ...typed]);
    this.learned.emit({ source, values: fresh });
  }
}

/** An argument that a tool wants in a header as well (MCP 2026-07-28, `x-mcp-header`). */
function isSecretParameter(header: string): boolean {
  return header.startsWith('mcp-param-') && isSecretField(header.slice('mcp-param-'.length), undefined);
}
