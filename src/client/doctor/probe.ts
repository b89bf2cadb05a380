/** Small questions to a server that must leave no trace in it: what is sent is refused by every MCP server. */
import type { Fetch } from '../../wire/recordingFetch.ts';

const PATIENCE_MS = 8000;

/**
 * A response that may not be read is still a response. By POST: a GET may open a stream, whose response Firefox hands out
 * only with its first byte.
 */
export function answers(url: string, fetch: Fetch): Promise<boolean> {
  return ask(url, fetch, { mode: 'no-cors', method: 'POST', body: '{}' }, () => true).then(
    (found) => found ?? false,
  );
}

/** May the page read the response? `unknown`: none came in time. */
export async function canRead(
  url: string,
  fetch: Fetch,
  init: RequestInit,
): Promise<'yes' | 'no' | 'unknown'> {
  let isLate = false;
  const found = await ask(
    url,
    fetch,
    init,
    () => true,
    () => (isLate = true),
  );
  if (found) return 'yes';
  return isLate ? 'unknown' : 'no';
}

/** Only as much of the answer is read as `look` reads; then it is let go. */
export async function ask<T>(
  url: string,
  fetch: Fetch,
  init: RequestInit,
  look: (response: Response) => T | Promise<T>,
  onLate?: () => void,
): Promise<T | undefined> {
  const abort = new AbortController();
  const timer = setTimeout(() => {
    onLate?.();
    abort.abort();
  }, PATIENCE_MS);
  try {
    return await look(await fetch(url, { cache: 'no-store', ...init, signal: abort.signal }));
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
