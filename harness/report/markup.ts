/** HTML and XML from templates: every value is escaped, unless it is markup itself. */

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly Markup[] | undefined;

export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.map((part, at) => (at === 0 ? part : `${write(values[at - 1])}${part}`)).join(''));
}

export function joined(parts: readonly Markup[], separator = ''): Markup {
  return new Markup(parts.map(({ text }) => text).join(separator));
}

function write(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  return typeof value === 'object' ? joined(value).text : escape(String(value));
}

function escape(text: string): string {
  return (
    text
      // XML 1.0 has no place for these characters, not even escaped.
      // eslint-disable-next-line no-control-regex -- they are what is meant
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      // Half a pair can't be written as UTF-8.
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
  );
}
