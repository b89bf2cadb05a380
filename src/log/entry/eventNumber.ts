/** The number at the end of an event ID: most servers count their events. */
const ZERO = 48;
const NINE = 57;
/** More digits make no exact integer. */
const MAX_DIGITS = 15;

/** Where the number at the end of an ID begins. It has no leading zero, so an ID is its prefix and the number as text. */
export function numberAt(id: string): number {
  let start = id.length;
  for (let at = id.length - 1; at >= 0 && id.length - at <= MAX_DIGITS; at -= 1) {
    const code = id.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    if (code !== ZERO) start = at;
  }
  return start;
}

/** `NaN` if there is none. */
export function numberIn(id: string, start: number): number {
  if (start === id.length) return NaN;
  let number = 0;
  for (let at = start; at < id.length; at += 1) number = number * 10 + id.charCodeAt(at) - ZERO;
  return number;
}
