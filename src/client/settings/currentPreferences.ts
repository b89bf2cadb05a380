/** The preferences of one server as they are now. */
import { Emitter } from '../../base/emitter.ts';
import type { ServerPreferences } from './preferences.ts';

export class CurrentPreferences {
  /** They are stored. */
  readonly changed = new Emitter<ServerPreferences>();
  readonly #write: (preferences: ServerPreferences) => Promise<void>;
  #value: ServerPreferences;

  constructor(value: ServerPreferences, write: (preferences: ServerPreferences) => Promise<void>) {
    this.#value = value;
    this.#write = write;
  }

  get value(): ServerPreferences {
    return this.#value;
  }

  async save(preferences: ServerPreferences): Promise<void> {
    this.#value = preferences;
    await this.#write(preferences);
    this.changed.emit(preferences);
  }
}
