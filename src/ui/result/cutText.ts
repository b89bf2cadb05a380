/** Long texts in parts: the first is shown, the rest on demand, each laid out only when it is scrolled to. */
export const SHOWN_CHARS = 200_000;
const PART_CHARS = 20_000;

/** Cut at line ends where there are any, so that no line is broken that was whole. */
export function splitText(text: string, size = PART_CHARS): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + size;
    // Looking for a line end in the whole text would look through all of it for each part.
    const lineEnd = to < text.length ? text.slice(from, to).lastIndexOf('\n') : -1;
    const end = lineEnd >= 0 ? from + lineEnd + 1 : wholeCharacter(text, to);
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

/** Not between the halves of a surrogate pair. */
export function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at;
}
