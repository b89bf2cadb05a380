/** The rows of a JSON tree: only what is open is walked, so a big value costs what is seen of it. */
import { isObject } from '../../base/json.ts';

export interface TreeRow {
  /** JSON Pointer. */
  readonly id: string;
  readonly key: string | number | undefined;
  readonly value: unknown;
  readonly level: number;
  /** How many members it has; undefined for a plain value. */
  readonly size: number | undefined;
  readonly isOpen: boolean;
  readonly position: number;
  readonly siblings: number;
}

export function visibleRows(value: unknown, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (
    key: TreeRow['key'],
    one: unknown,
    id: string,
    level: number,
    position: number,
    siblings: number,
  ) => {
    const size = sizeOf(one);
    const isOpen = size !== undefined && open.has(id);
    rows.push({ id, key, value: one, level, size, isOpen, position, siblings });
    if (!isOpen) return;
    if (Array.isArray(one)) {
      one.forEach((item: unknown, i) => visit(i, item, `${id}/${i}`, level + 1, i + 1, one.length));
    } else if (isObject(one)) {
      Object.keys(one).forEach((name, i) =>
        visit(name, one[name], `${id}/${escapePointer(name)}`, level + 1, i + 1, size),
      );
    }
  };
  visit(undefined, value, '', 1, 1, 1);
  return rows;
}

/** What is open at first: the outer levels, as far as they fit on a screen. */
export function openAtFirst(value: unknown): ReadonlySet<string> {
  const open = new Set<string>();
  let rows = 1;
  let level: readonly (readonly [string, unknown])[] = [['', value]];
  while (level.length > 0) {
    const next: (readonly [string, unknown])[] = [];
    for (const [id, one] of level) {
      const size = sizeOf(one) ?? 0;
      if (size === 0 || rows + size > FIRST_ROWS) continue;
      open.add(id);
      rows += size;
      next.push(...membersOf(one, id));
    }
    level = next;
  }
  // A long list alone is opened in any case: there is nothing else to look at.
  open.add('');
  return open;
}

const FIRST_ROWS = 24;

/** Every place whose name or value contains the words; undefined now and then, so that a search can be put down. */
export function* findPlaces(value: unknown, words: string): Generator<string | undefined> {
  const wanted = words.toLowerCase();
  const waiting: { id: string; key: string; value: unknown }[] = [{ id: '', key: '', value }];
  for (let seen = 1; ; seen += 1) {
    const place = waiting.pop();
    if (!place) return;
    const isHit =
      place.key.toLowerCase().includes(wanted) ||
      (sizeOf(place.value) === undefined && plainText(place.value).toLowerCase().includes(wanted));
    if (isHit) yield place.id;
    else if (seen % 1000 === 0) yield undefined;
    const members = [...membersOf(place.value, place.id)];
    for (const [id, one] of members.reverse()) {
      waiting.push({ id, key: isObject(place.value) ? unescapeLast(id) : '', value: one });
    }
  }
}

/** The places that must be open for this one to be seen. */
export function parentsOf(id: string): readonly string[] {
  const parents: string[] = [];
  for (let at = id.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : id.lastIndexOf('/', at - 1))
    parents.push(id.slice(0, at));
  return parents;
}

/** As it is written in JavaScript and JSONPath: `$.items[0]["a b"]`. */
export function pathText(value: unknown, id: string): string {
  let text = '$';
  let at = value;
  for (const part of id.split('/').slice(1).map(unescapePointer)) {
    if (Array.isArray(at)) text += `[${part}]`;
    else text += /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    at = memberOf(at, part);
  }
  return text;
}

export function valueAt(value: unknown, id: string): unknown {
  return id.split('/').slice(1).map(unescapePointer).reduce(memberOf, value);
}

function sizeOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function* membersOf(value: unknown, id: string): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) for (const [i, one] of value.entries()) yield [`${id}/${i}`, one];
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) yield [`${id}/${escapePointer(name)}`, one];
}

function memberOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return value[Number(part)];
  return isObject(value) ? value[part] : undefined;
}

function unescapeLast(id: string): string {
  return unescapePointer(id.slice(id.lastIndexOf('/') + 1));
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** How large a closed row is. */
export function summary(one: unknown, size: number): string {
  return Array.isArray(one) ? `[${size.toLocaleString('en')}]` : `{${size.toLocaleString('en')}}`;
}

export function kindOf(one: unknown): string {
  return one === null ? 'null' : typeof one;
}
