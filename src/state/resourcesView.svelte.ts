/** The resources of a server as a person reads them: which one is open, what stands in it, and whether it has changed since. */
import { SvelteMap } from 'svelte/reactivity';
import { objectField, stringField, type JsonObject } from '../base/json.ts';
import { errorMessage } from '../base/format.ts';
import type { Entry } from '../log/entry/entry.ts';
import { messageOf } from '../log/entry/messageOf.ts';
import { findLastAnswer } from './lastAnswer.ts';
import type { ServerView } from './serverView.svelte.ts';

export type Picked =
  | { readonly kind: 'resource'; readonly uri: string }
  /** With the address that it was last expanded to and read at. */
  | { readonly kind: 'template'; readonly template: string; readonly uri?: string };

export type Reading =
  | { readonly name: 'reading' }
  /** The server wants to know something first. */
  | { readonly name: 'asked' }
  | { readonly name: 'failed'; readonly why: string }
  | { readonly name: 'read'; readonly at: number; readonly result: JsonObject };

const PLACE = 'resource';

export class ResourcesView {
  readonly #server: ServerView;
  readonly #readings = new SvelteMap<string, Reading>();
  /** Where the newest word of a change stands in the log, and when it came. */
  readonly #updates = new SvelteMap<string, { readonly seq: number; readonly at: number }>();
  /** Where in the log a resource was last asked for: what is said of it later is news. */
  readonly #asked = new Map<string, number>();
  readonly #stopListening: () => void;

  constructor(server: ServerView) {
    this.#server = server;
    this.#noteUpdates(server.log.tail);
    for (const uri of this.#updates.keys()) this.recall(uri);
    this.#stopListening = server.log.onAppended(({ others }) => this.#noteUpdates(others));
  }

  get picked(): Picked | undefined {
    return parsePicked(this.#server.place.read(PLACE));
  }

  pick(picked: Picked | undefined): void {
    this.#server.place.write(PLACE, picked && JSON.stringify(picked));
  }

  /** What stands in it, if it was read. */
  reading(uri: string): Reading | undefined {
    const open = this.#server.openRequest('resources/read', uri);
    if (open === 'asked') return { name: 'asked' };
    return this.#readings.get(uri) ?? (open && { name: 'reading' });
  }

  /** When the server said that it has changed, if that is newer than what is shown. */
  changedAt(uri: string): number | undefined {
    const update = this.#updates.get(uri);
    // What follows this must hear of it when something newer was read.
    void this.reading(uri);
    return update && update.seq > (this.#asked.get(uri) ?? 0) ? update.at : undefined;
  }

  /** When the server last said that it has changed, shown or not. */
  updatedAt(uri: string): number | undefined {
    return this.#updates.get(uri)?.at;
  }

  async read(uri: string): Promise<void> {
    const before = this.#readings.get(uri);
    this.#asked.set(uri, this.#server.log.tail.at(-1)?.seq ?? 0);
    // What is on the screen stays there until there is something newer.
    if (before?.name !== 'read') this.#readings.set(uri, { name: 'reading' });
    try {
      const result = (await this.#server.perform({ does: 'read', uri })) as JsonObject;
      this.#readings.set(uri, { name: 'read', at: Date.now(), result });
    } catch (error) {
      this.#readings.set(uri, { name: 'failed', why: errorMessage(error) });
    }
  }

  /** What was read before a reload stands in the log; so does an answer to what an earlier page was asked first. */
  recall(uri: string): void {
    if (this.#readings.has(uri)) return;
    const answer = findLastAnswer(this.#server.log.tail, 'resources/read', (params) => params['uri'] === uri);
    if (!answer) return;
    const { askedSeq, ...read } = answer;
    this.#asked.set(uri, askedSeq);
    this.#readings.set(uri, { name: 'read', ...read });
  }

  close(): void {
    this.#stopListening();
  }

  #noteUpdates(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.kind !== 'received' || entry.method !== 'notifications/resources/updated') continue;
      const uri = stringField(objectField(messageOf(entry), 'params'), 'uri');
      if (uri !== undefined) this.#updates.set(uri, { seq: entry.seq, at: entry.at });
    }
  }
}

function parsePicked(text: string | undefined): Picked | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const uri = stringField(value, 'uri');
    const template = stringField(value, 'template');
    if (template !== undefined) return { kind: 'template', template, ...(uri !== undefined && { uri }) };
    return uri === undefined ? undefined : { kind: 'resource', uri };
  } catch {
    return undefined;
  }
}
