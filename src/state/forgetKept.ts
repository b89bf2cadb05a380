/** Takes away what a tab, or the browser, keeps of a server outside of its log. */
import type { KeptText } from './keptText.ts';

/** One key for each server. */
const WHOLE = ['saved', 'timeline', 'tool'];
/** Many keys for each server; the name of one server may begin with that of another. */
const PARTED = ['draft', 'place'];

export function forgetKept(kept: KeptText, server: string): void {
  for (const kind of WHOLE) kept.write(`reprise.${kind}/${server}`, undefined);
  const prefixes = PARTED.map((kind) => `reprise.${kind}/${encodeURIComponent(server)}/`);
  for (const key of kept.keys()) {
    if (prefixes.some((prefix) => key.startsWith(prefix))) kept.write(key, undefined);
  }
}
