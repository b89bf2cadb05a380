/** What is on the stage: it survives the reload, which is part of the show. */
import { isObject, numberField } from '../base/json.ts';
import type { KeptText } from './storage/keptText.ts';
import { STEPS, type Step } from './walkthrough.ts';

const KEY = 'reprise.stage';

export class Stage {
  readonly #kept: KeptText;
  #isOn = $state(false);
  #at = $state<number>();
  #hasNotes = $state(false);

  constructor(kept: KeptText) {
    this.#kept = kept;
    const { isOn, at, hasNotes } = parse(kept.read(KEY));
    this.#isOn = isOn;
    this.#at = at;
    this.#hasNotes = hasNotes;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Where the walk through the demo is, if somebody walks. */
  get at(): number | undefined {
    return this.#at;
  }

  get step(): Step | undefined {
    return this.#at === undefined ? undefined : STEPS[this.#at];
  }

  /** Does the room see the speaker's notes? */
  get hasNotes(): boolean {
    return this.#hasNotes;
  }

  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#save();
  }

  toggleNotes(): void {
    this.#hasNotes = !this.#hasNotes;
    this.#save();
  }

  /** Stored at once: the next thing that happens may be a reload. */
  goTo(at: number | undefined): void {
    this.#at = at;
    this.#save();
  }

  #save(): void {
    this.#kept.write(KEY, JSON.stringify({ isOn: this.#isOn, at: this.#at, hasNotes: this.#hasNotes }));
  }
}

function parse(text: string | undefined): { isOn: boolean; at: number | undefined; hasNotes: boolean } {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    const at = numberField(value, 'at');
    return {
      isOn: isObject(value) && value['isOn'] === true,
      at: at !== undefined && STEPS[at] ? at : undefined,
      hasNotes: isObject(value) && value['hasNotes'] === true,
    };
  } catch {
    return { isOn: false, at: undefined, hasNotes: false };
  }
}
