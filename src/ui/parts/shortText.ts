/** A name or title of a server, which may be of any length, as far as it is drawn. */
const SHOWN_CHARS = 300;

export function shortText(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
