/** Small questions to a server that must leave no trace in it: what is sent is refused by every MCP server. */
import type { Fetch } from '../../wire/recordingFetch.ts';

const PATIENCE_MS = 8000;

/** An answer that may not be read is still an answer. */
export function answers(url: string, fetch: Fetch): Promise<boolean> {
  return ask(url, fetch, { mode: 'no-cors', method: 'GET' }, () => true).then((found) => found ?? false);
}

export function canRead(url: string, fetch: Fetch, init: RequestInit): Promise<boolean> {
  return ask(url, fetch, init, () => true).then((found) => found ?? false);
}

/** Only as much of the answer is read as `look` reads; then it is let go. */
export async function ask<T>(
  url: string,
  fetch: Fetch,
  init: RequestInit,
  look: (response: Response) => T | Promise<T>,
): Promise<T | undefined> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    return await look(await fetch(url, { ...init, signal: abort.signal }));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
