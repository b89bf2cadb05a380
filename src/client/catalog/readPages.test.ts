import { describe, expect, test } from 'vitest';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { readPages } from './readPages.ts';

const pagesOf = (pages: readonly unknown[]) => {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    fetchPage: async (cursor: string | undefined) => {
      asked.push(cursor);
      return pages[asked.length - 1];
    },
  };
};

describe('readPages', () => {
  test('reads every page, with the cursor of the one before', async () => {
    const { asked, fetchPage } = pagesOf([
      { tools: [1, 2], nextCursor: 'a' },
      { tools: [3], nextCursor: 'b' },
      { tools: [4], nextCursor: '' },
    ]);
    expect(await readPages(fetchPage, 'tools')).toEqual({ items: [1, 2, 3, 4] });
    expect(asked).toEqual([undefined, 'a', 'b']);
  });

  test('stops where a page is named twice', async () => {
    const { fetchPage, asked } = pagesOf([
      { tools: [1], nextCursor: 'a' },
      { tools: [2], nextCursor: 'b' },
      { tools: [3], nextCursor: 'a' },
    ]);
    const read = await readPages(fetchPage, 'tools');
    expect(read.items).toEqual([1, 2, 3]);
    expect(read.problem).toEqual({ code: 'list-endless', how: 'page-repeated' });
    expect(asked).toHaveLength(3);
  });

  test('stops at a number of pages, and of items', async () => {
    let asked = 0;
    const endless = async () => ({ tools: [1, 2, 3], nextCursor: String((asked += 1)) });
    const byPages = await readPages(endless, 'tools', { pages: 5, items: 100 });
    expect(byPages.items).toHaveLength(15);
    expect(byPages.problem).toEqual({ code: 'list-endless', how: 'too-long', pages: 5 });
    expect(reasonText(byPages.problem)).toBe('Stopped after 5 pages: the list doesn’t end.');
    const byItems = await readPages(endless, 'tools', { pages: 100, items: 4 });
    expect(byItems.items).toHaveLength(4);
    expect(byItems.problem).toMatchObject({ how: 'too-long', pages: 2 });
  });

  test('says so where there is no list', async () => {
    expect(await readPages(async () => ({ tool: [] }), 'tools')).toEqual({
      items: [],
      problem: { code: 'list-missing', how: 'tools' },
    });
  });
});
