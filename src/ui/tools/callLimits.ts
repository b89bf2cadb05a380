/** How long calls to a server may take, as a person has set it. */
import type { ViewPrefs } from '../../state/viewPrefs.svelte.ts';

export interface CallLimits {
  readonly timeoutMs: number;
  readonly backgroundMs: number;
}

/** What is known of a server: the timeout that it was added with, and what was set for this tab. */
interface Limited {
  readonly place: Pick<ViewPrefs, 'read'>;
  readonly settings: { readonly timeoutMs?: number };
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_BACKGROUND_MIN = 5;
const MAX_BACKGROUND_MIN = 30;

export function readLimits({ place, settings }: Limited): CallLimits {
  const timeoutS =
    numberOf(place.read('timeoutS'), 1, 86_400) ?? (settings.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000;
  const backgroundMin =
    numberOf(place.read('backgroundMin'), 0, MAX_BACKGROUND_MIN) ?? DEFAULT_BACKGROUND_MIN;
  return { timeoutMs: timeoutS * 1000, backgroundMs: backgroundMin * 60_000 };
}

function numberOf(text: string | undefined, min: number, max: number): number | undefined {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || !Number.isFinite(value)) return undefined;
  return Math.min(max, Math.max(min, value));
}
