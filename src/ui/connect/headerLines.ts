/** Custom headers as they are typed: one `Name: value` on each line. */
import { err, ok, type Result } from '../../base/result.ts';

/** RFC 9110, "Field Names": a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

export function parseHeaderLines(text: string): Result<Readonly<Record<string, string>>, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    if (colon < 1 || !NAME.test(name)) return err(`“${line.trim()}” isn’t a valid header. Use Name: value`);
    headers[name] = line.slice(colon + 1).trim();
  }
  return ok(headers);
}
