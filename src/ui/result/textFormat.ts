/** What a text seems to be: by its declared type, or by its beginning. */
export type TextFormat = 'plain' | 'json' | 'markdown';

/** Bigger ones are shown as text: laying out that much markup helps nobody. */
const MARKDOWN_CHARS = 200_000;
/** Bigger ones are not parsed to find out what they are. */
const PARSED_CHARS = 1_000_000;
const LOOKED_AT = 20_000;

const SIGNS = [
  /^#{1,6} \S/m,
  /^(```|~~~)/m,
  /\[[^[\]\n]+\]\((https?:|mailto:|#|\/)[^)\s]*\)/,
  /^\|.+\|\s*\n\|[ :|-]+\|/m,
  /(^|\s)\*\*[^*\n]+\*\*/,
  /^\s{0,3}[-*] \S.*\n\s{0,3}[-*] \S/m,
];

export function formatOf(text: string, mimeType: string): TextFormat {
  if (/^[\s]*[[{]/.test(text.slice(0, 100)) && isJson(text)) return 'json';
  if (text.length > MARKDOWN_CHARS) return 'plain';
  if (/markdown/.test(mimeType)) return 'markdown';
  if (mimeType !== '' && mimeType !== 'text/plain') return 'plain';
  const start = text.slice(0, LOOKED_AT);
  return SIGNS.some((sign) => sign.test(start)) ? 'markdown' : 'plain';
}

function isJson(text: string): boolean {
  if (text.length > PARSED_CHARS) return /[\]}]\s*$/.test(text.slice(-100));
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
