import { STANDALONE } from '../log/entry/entry.ts';

/** A stream in few characters. Most are named by ULIDs, whose ends differ. */
export function shortStream(stream: string): string {
  if (stream === STANDALONE) return 'GET';
  return stream.length > 8 ? stream.slice(-4) : stream;
}
