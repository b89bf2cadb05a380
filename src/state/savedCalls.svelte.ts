/** Calls that a person gave a name: for every tab of this browser, by server and tool. */
import { createSubscriber } from 'svelte/reactivity';
import { Emitter } from '../base/emitter.ts';
import { isObject, objectField, stringField } from '../base/json.ts';
import type { KeptText } from './storage/keptText.ts';

export interface SavedCall {
  readonly name: string;
  readonly tool: string;
  readonly args: object;
  /** Sent as `_meta`. */
  readonly meta?: object;
}

const keyOf = (server: string): string => `reprise.saved/${encodeURIComponent(server)}`;

export class SavedCalls {
  readonly #kept: KeptText;
  readonly #changed = new Emitter<undefined>();
  readonly #subscribe: () => void;

  /** @param tabs tells when another tab has changed something */
  constructor(kept: KeptText, tabs: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>) {
    this.#kept = kept;
    this.#subscribe = createSubscriber((update) => {
      const stop = this.#changed.on(update);
      tabs.addEventListener('storage', update);
      return () => {
        stop();
        tabs.removeEventListener('storage', update);
      };
    });
  }

  of(server: string, tool: string): readonly SavedCall[] {
    this.#subscribe();
    return this.#read(server).filter((call) => call.tool === tool);
  }

  all(server: string): readonly SavedCall[] {
    this.#subscribe();
    return this.#read(server);
  }

  /** A call of the same name is replaced. */
  save(server: string, call: SavedCall): void {
    this.#write(server, [...this.#without(server, call.tool, call.name), call]);
  }

  remove(server: string, tool: string, name: string): void {
    this.#write(server, this.#without(server, tool, name));
  }

  #without(server: string, tool: string, name: string): readonly SavedCall[] {
    return this.#read(server).filter((call) => call.tool !== tool || call.name !== name);
  }

  #read(server: string): readonly SavedCall[] {
    return parseCalls(this.#kept.read(keyOf(server)));
  }

  #write(server: string, calls: readonly SavedCall[]): void {
    this.#kept.write(keyOf(server), calls.length === 0 ? undefined : JSON.stringify(calls));
    this.#changed.emit(undefined);
  }
}

function parseCalls(text: string | undefined): readonly SavedCall[] {
  if (text === undefined) return [];
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return [];
    return stored.filter(isObject).flatMap((record) => {
      const [name, tool, args] = [
        stringField(record, 'name'),
        stringField(record, 'tool'),
        objectField(record, 'args'),
      ];
      const meta = objectField(record, 'meta');
      if (name === undefined || tool === undefined || !args) return [];
      return [{ name, tool, args, ...(meta && { meta }) }];
    });
  } catch {
    return [];
  }
}
