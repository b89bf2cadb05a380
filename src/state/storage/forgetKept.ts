/** Takes away what a tab, or the browser, keeps of a server outside of its log. */
import type { KeptText } from './keptText.ts';

/** One key for each server. */
export const WHOLE = ['saved', 'timeline', 'tool', 'secret', 'oauth'];
/** Many keys for each server. */
export const PARTED = ['draft', 'place'];

export function forgetKept(kept: KeptText, server: string): void {
  const id = encodeURIComponent(server);
  for (const kind of WHOLE) kept.write(`reprise.${kind}/${id}`, undefined);
  const prefixes = PARTED.map((kind) => `reprise.${kind}/${id}/`);
  for (const key of kept.keys()) {
    if (prefixes.some((prefix) => key.startsWith(prefix))) kept.write(key, undefined);
  }
}
