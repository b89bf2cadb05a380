/**
 * What can be done by key, and by name in the command palette. Whoever draws an action registers it here:
 *
 *     $effect(() => app.shortcuts.add({ title: 'Fit the timeline', group: 'Timeline', keys: 'f', run: fit }));
 *
 * `keys` is written as `mod+k`, `shift+enter`, `?` or `g t` (one after the other); `mod` is ⌘ on a Mac and Ctrl elsewhere.
 * Without `keys` an action is in the palette alone. Keys without `mod` are left alone while somebody types, and in a dialog.
 */
import { Emitter } from '../base/emitter.ts';

export interface Shortcut {
  readonly title: string;
  /** The heading that it stands under. */
  readonly group: string;
  readonly keys?: string;
  /** The one that was registered last wins, if it applies. */
  readonly applies?: () => boolean;
  readonly run: () => void;
}

/** As much of a KeyboardEvent as is looked at. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** Do the plain keys belong to something else: a field that somebody types into, or a dialog? */
  readonly isTaken: boolean;
  readonly at: number;
}

/** How long the first key of two waits for the second. */
const SECOND_KEY_MS = 1500;

const ARROWS = { arrowleft: '←', arrowright: '→', arrowup: '↑', arrowdown: '↓' } as const;

export class Shortcuts {
  readonly changed = new Emitter<undefined>();
  /** People who dictate press single keys without wanting to (WCAG 2.1.4): they can be switched off. */
  singleKeys = true;
  readonly #isMac: boolean;
  #all: readonly Shortcut[] = [];
  #first: { readonly chord: string; readonly at: number } | undefined;

  constructor(isMac: boolean) {
    this.#isMac = isMac;
  }

  get all(): readonly Shortcut[] {
    return this.#all.filter(({ applies }) => applies?.() ?? true);
  }

  /** @returns the undo */
  add(...shortcuts: readonly Shortcut[]): () => void {
    this.#all = [...this.#all, ...shortcuts];
    this.changed.emit(undefined);
    return () => {
      this.#all = this.#all.filter((one) => !shortcuts.includes(one));
      this.changed.emit(undefined);
    };
  }

  /** @returns whether the key was for a shortcut, and must not do anything else */
  press(pressed: Pressed): boolean {
    const chord = chordOf(pressed, this.#isMac);
    if (chord === undefined) return false;
    const first = this.#first;
    this.#first = undefined;
    const isPlain = !chord.includes('mod+');
    // WCAG 2.1.4 is about characters: a presenter's remote sends Page Down.
    const isCharacter = pressed.key.length === 1;
    if (isPlain && (pressed.isTaken || (isCharacter && !this.singleKeys))) return false;
    const pair = first && pressed.at - first.at < SECOND_KEY_MS ? `${first.chord} ${chord}` : undefined;
    const found = (pair === undefined ? undefined : this.#find(pair)) ?? this.#find(chord);
    if (found) {
      found.run();
      return true;
    }
    const begins = this.all.some(({ keys }) => keys?.startsWith(`${chord} `) === true);
    if (begins) this.#first = { chord, at: pressed.at };
    return begins;
  }

  /** `mod+k` as it stands on the keyboard. */
  words(keys: string): string {
    const names: Readonly<Record<string, string>> = this.#isMac
      ? { ...ARROWS, mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵' }
      : { ...ARROWS, mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter' };
    const one = (chord: string) =>
      chord
        .split('+')
        .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
        .join(this.#isMac ? '' : '+');
    return keys.split(' ').map(one).join(' then ');
  }

  #find(keys: string): Shortcut | undefined {
    return this.all.findLast((one) => one.keys === keys);
  }
}

/** Which keys were pressed, as `keys` has them. A sign that needs Shift, such as `?`, is written without it. */
function chordOf(pressed: Pressed, isMac: boolean): string | undefined {
  const { key, altKey, shiftKey } = pressed;
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process'].includes(key)) return undefined;
  const isMod = isMac ? pressed.metaKey : pressed.ctrlKey;
  const isOther = isMac ? pressed.ctrlKey : pressed.metaKey;
  if (isOther) return undefined;
  const isSign = key.length === 1 && key.toLowerCase() === key.toUpperCase();
  return [
    ...(isMod ? ['mod'] : []),
    ...(altKey && !isSign ? ['alt'] : []),
    ...(shiftKey && !isSign ? ['shift'] : []),
    key === ' ' ? 'space' : key.toLowerCase(),
  ].join('+');
}
