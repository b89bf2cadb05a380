/** What presentation mode shows: it survives the reload, which is part of the show. */
import { isObject, numberField, objectField } from '../base/json.ts';
import type { KeptText } from './storage/keptText.ts';
import { arrive, back, begin, beginAct, giveUp, next, type StagePlace } from './stage/stageSteps.ts';

const KEY = 'reprise.stage';

interface Kept {
  readonly isOn: boolean;
  readonly hasNotes: boolean;
  readonly place: StagePlace | undefined;
}

export class Stage {
  readonly #kept: KeptText;
  #state: Kept;

  constructor(kept: KeptText) {
    this.#kept = kept;
    this.#state = $state.raw(parse(kept.read(KEY)));
  }

  get isOn(): boolean {
    return this.#state.isOn;
  }

  /** Where the guided demo is, if it was started. */
  get place(): StagePlace | undefined {
    return this.#state.place;
  }

  /** Does the room see the speaker notes? */
  get hasNotes(): boolean {
    return this.#state.hasNotes;
  }

  toggle(): void {
    this.#set({ isOn: !this.isOn });
  }

  toggleNotes(): void {
    this.#set({ hasNotes: !this.hasNotes });
  }

  begin(now: number): void {
    this.#set({ place: begin(now) });
  }

  end(): void {
    this.#set({ place: undefined });
  }

  /** @returns whether the act of this step is due */
  next(): boolean {
    if (!this.place) return false;
    const pressed = next(this.place);
    if (pressed.name === 'show') this.#set({ place: pressed.place });
    return pressed.name === 'act';
  }

  back(): void {
    if (this.place) this.#set({ place: back(this.place) });
  }

  /** Stored at once: the next thing that happens may be a reload. */
  beginAct(load: number): void {
    if (this.place) this.#set({ place: beginAct(this.place, load) });
  }

  /** @param steps how many there are: their words are loaded with the stage */
  arrive(steps: number): void {
    if (this.place) this.#set({ place: arrive(this.place, steps) });
  }

  giveUp(): void {
    if (this.place) this.#set({ place: giveUp(this.place) });
  }

  #set(change: Partial<Kept>): void {
    this.#state = { ...this.#state, ...change };
    this.#kept.write(KEY, JSON.stringify(this.#state));
  }
}

function parse(text: string | undefined): Kept {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return {
      isOn: isObject(value) && value['isOn'] === true,
      hasNotes: isObject(value) && value['hasNotes'] === true,
      place: parsePlace(objectField(value, 'place')),
    };
  } catch {
    return { isOn: false, hasNotes: false, place: undefined };
  }
}

function parsePlace(value: object | undefined): StagePlace | undefined {
  const [at, reached] = [numberField(value, 'at'), numberField(value, 'reached')];
  if (at === undefined || reached === undefined) return undefined;
  const load = numberField(objectField(value, 'awaits'), 'load');
  return {
    at,
    reached,
    since: numberField(value, 'since') ?? 0,
    ...(load !== undefined && { awaits: { load } }),
  };
}
