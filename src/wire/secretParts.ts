/** The secrets inside the value of a header: servers repeat a part of it as often as the whole. */

/** `Bearer …`, `Token …`: a word, and one piece of text after it. */
const WITH_SCHEME = /^([A-Za-z][\w-]*)\s+(\S+)$/;

export function secretParts(value: string): readonly string[] {
  const [, scheme = '', rest] = WITH_SCHEME.exec(value.trim()) ?? [];
  const pairs = value.includes('=') ? value.split(/[;,&]\s*/).flatMap(valueOfPair) : [];
  if (rest === undefined) return [value, ...pairs];
  return [value, rest, ...pairs, ...(scheme.toLowerCase() === 'basic' ? basicParts(rest) : [])];
}

/** RFC 7617: user and password in base64, with a colon between them. The user's name alone is no secret. */
function basicParts(encoded: string): readonly string[] {
  const pair = decodeBase64(encoded);
  const at = pair?.indexOf(':') ?? -1;
  return pair === undefined || at < 0 ? [] : [pair, pair.slice(at + 1)];
}

/** Cookies, and schemes with parameters: `sid=…; theme=dark`, `key="…"`. */
function valueOfPair(pair: string): readonly string[] {
  const at = pair.indexOf('=');
  const value = pair.slice(at + 1).replace(/^"|"$/g, '');
  // Base64 ends in signs of equality, too.
  return at <= 0 || /^=*$/.test(value) ? [] : [value];
}

function decodeBase64(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
