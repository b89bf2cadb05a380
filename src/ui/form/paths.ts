/** Where a text of a form stands: a path of names, such as `address/lines/0`, and what is told of a place itself. */

/** How many items a list has, which alternative was chosen, whether an object is given, whether it is null; the key of an entry. */
export type Mark = 'count' | 'variant' | 'set' | 'null' | 'key';

export function childPath(path: string, name: string | number): string {
  const part = String(name).replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('#', '~2');
  return path === '' ? part : `${path}/${part}`;
}

/** Each alternative keeps what was typed for it. */
export function variantPath(path: string, index: number): string {
  return `${path}#${index}`;
}

export function markPath(path: string, mark: Mark): string {
  return `${path}#${mark}`;
}

export type Texts = Readonly<Record<string, string>>;

/** The texts without an item of a list: those after it move up. */
export function withoutItem(texts: Texts, path: string, index: number, count: number): Texts {
  const kept: Record<string, string> = {};
  const prefix = path === '' ? '' : `${path}/`;
  for (const [key, text] of Object.entries(texts)) {
    const rest = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    const at = /^(\d+)(?=$|[/#])/.exec(rest)?.[1];
    if (at === undefined || Number(at) < index) kept[key] = text;
    else if (Number(at) > index) kept[`${prefix}${Number(at) - 1}${rest.slice(at.length)}`] = text;
  }
  return { ...kept, [markPath(path, 'count')]: String(count - 1) };
}

/** As an id in a document, which must not contain blanks. */
export function idOf(path: string): string {
  return path.replace(/[^\w-]/g, (sign) => `.${sign.charCodeAt(0).toString(16)}.`);
}
