/** Reads a paginated list to its end, or to where it is plain that it has none. */
import { isObject, stringField } from '../../base/json.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ListName } from '../../log/reasons/listNames.ts';

export interface PageLimits {
  readonly pages: number;
  readonly items: number;
}

export interface ReadPages {
  readonly items: readonly unknown[];
  /** Why the list was not read to its end. */
  readonly problem?: Reason;
}

const LIMITS: PageLimits = { pages: 200, items: 20_000 };

/** @param itemsOf where a page holds its items, for example `tools` */
export async function readPages(
  fetchPage: (cursor: string | undefined) => Promise<unknown>,
  itemsOf: ListName,
  limits: PageLimits = LIMITS,
): Promise<ReadPages> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined, pages = 1; ; pages += 1) {
    const page = await fetchPage(cursor);
    const found = isObject(page) ? page[itemsOf] : undefined;
    if (!Array.isArray(found)) {
      return { items, problem: { code: 'list-missing', how: itemsOf } };
    }
    items.push(...found.slice(0, limits.items - items.length));
    // An empty cursor is one to the letter of the standard; servers that send it mean the end.
    cursor = stringField(page, 'nextCursor') || undefined;
    if (cursor === undefined) return { items };
    if (cursors.has(cursor)) {
      return { items, problem: { code: 'list-endless', how: 'page-repeated' } };
    }
    if (pages >= limits.pages || items.length >= limits.items) {
      return { items, problem: { code: 'list-endless', how: 'too-long', pages } };
    }
    cursors.add(cursor);
  }
}
