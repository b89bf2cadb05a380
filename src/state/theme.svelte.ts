/** Light, dark, or as the system has it. */
import type { KeptText } from './storage/keptText.ts';

const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'reprise.theme';

export class ThemeChoice {
  readonly #kept: KeptText;
  #theme = $state<Theme>('system');

  constructor(kept: KeptText) {
    this.#kept = kept;
    this.#apply(THEMES.find((theme) => theme === kept.read(KEY)) ?? 'system');
  }

  get theme(): Theme {
    return this.#theme;
  }

  get following(): Theme {
    return THEMES[(THEMES.indexOf(this.#theme) + 1) % THEMES.length] ?? 'system';
  }

  advance(): void {
    this.#apply(this.following);
    this.#kept.write(KEY, this.#theme);
  }

  #apply(theme: Theme): void {
    this.#theme = theme;
    document.documentElement.dataset['theme'] = theme;
  }
}
