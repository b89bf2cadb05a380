/** Looks for secrets by value, in each of the encodings in which a program may write them. */

export type Named = Readonly<Record<string, string>>;

export const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'JSON-escaped': (secret) => inJson(secret).replaceAll('/', '\\/'),
  'JSON with \\u': (secret) => escapeEach(secret, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'HTML-escaped': (secret) => escapeEach(secret, (code) => `&#${code};`),
  'percent-encoded': (secret) => encodeURIComponent(secret),
  'form-encoded': (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  base64: (secret) => Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
};

export interface Found {
  readonly secret: string;
  readonly encoding: string;
  readonly place: string;
}

/** Both by name. Each form is looked for in any case, and as it stands inside a JSON string and inside a key of a record. */
export function searchSecrets(secrets: Named, places: Named): readonly Found[] {
  const needles = Object.entries(secrets).flatMap(([secret, value]) =>
    Object.entries(ENCODINGS).map(([encoding, encode]) => ({
      secret,
      encoding,
      forms: formsOf(encode(value)),
    })),
  );
  return Object.entries(places).flatMap(([place, text]) => {
    const haystack = text.toLowerCase();
    return needles
      .filter(({ forms }) => forms.some((form) => haystack.includes(form)))
      .map(({ secret, encoding }) => ({ secret, encoding, place }));
  });
}

/** Plants each form of each secret into each place: a search that misses one proves nothing. */
export function missedCanaries(secrets: Named, places: Named): readonly Found[] {
  return Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([secret, value]) =>
      Object.entries(ENCODINGS).flatMap(([encoding, encode]) => {
        // Its neighborhood is enough: a place can be a megabyte long.
        const planted = `${text.slice(0, 200)}${encode(value)}${text.slice(-200)}`;
        const found = searchSecrets({ [secret]: value }, { [place]: planted });
        return found.some((one) => one.encoding === encoding) ? [] : [{ secret, encoding, place }];
      }),
    ),
  );
}

function formsOf(form: string): readonly string[] {
  return [form, inJson(form), encodeURIComponent(form)].map((text) => text.toLowerCase());
}

function escapeEach(secret: string, escape: (code: number) => string): string {
  return secret.replace(/[^a-z0-9]/gi, (char) => escape(char.charCodeAt(0)));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
