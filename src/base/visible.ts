/**
 * Text of a server as it may be drawn: characters that reorder or hide text are replaced by a marker such as
 * ‹U+202E›. Only for the screen. What is copied, stored or sent stays as it is.
 */

/** Controls but tab and line feed, bidirectional controls, characters without a picture, tags, variation selectors. */
const UNSEEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are what it looks for
  /[\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E01EF}]/u;
const RUNS = new RegExp(`(${UNSEEN.source})\\1*`, 'gu');

/** Before and after the joiner of an emoji such as 👩‍💻. Not as one class: V8 14.6 (Node 26) doesn't find it before the end. */
const BEFORE_JOINER = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const AFTER_JOINER = /^\p{Extended_Pictographic}/u;

export function visible(text: string): string {
  if (!UNSEEN.test(text)) return text;
  return text.replace(RUNS, (run: string, sign: string, at: number) => {
    if (run === '\r' && text[at + 1] === '\n') return run;
    if (run === '\u200D' && isEmojiJoiner(text, at)) return run;
    return marker(sign, run.length / sign.length);
  });
}

function marker(sign: string, times: number): string {
  const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return times === 1 ? `‹U+${code}›` : `‹U+${code} ×${times}›`;
}

function isEmojiJoiner(text: string, at: number): boolean {
  return (
    BEFORE_JOINER.test(text.slice(Math.max(0, at - 2), at)) && AFTER_JOINER.test(text.slice(at + 1, at + 3))
  );
}
