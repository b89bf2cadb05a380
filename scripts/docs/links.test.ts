// Every link, path and script that the docs name must exist.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { anchorsOf, blocksOf, inlineCodeOf, linksOf, readPages, type Page } from './pages.ts';

const pages = readPages();
const pageAt = new Map(pages.map((page) => [page.path, page]));
const isThere = (path: string): boolean => existsSync(join(ROOT, path));

/** Made by a build, or shown as an example of the reader's own project. */
const NOT_IN_REPOSITORY = /^(\.github\/workflows\/refresh\.yml|docs\/index\.html)$/;

function faultOf(page: Page, href: string): string | undefined {
  if (/^(https?|mailto):/.test(href)) return URL.canParse(href) ? undefined : 'invalid URL';
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? page.path : posix.normalize(posix.join(posix.dirname(page.path), path));
  if (target.startsWith('../')) return 'outside of the repository';
  if (!isThere(target)) return 'no such file';
  const targetPage = pageAt.get(target);
  if (anchor === undefined || !targetPage) return undefined;
  return anchorsOf(targetPage).has(anchor) ? undefined : 'no such heading';
}

test('every link and image leads to a file or a heading', () => {
  const faults = pages.flatMap((page) =>
    linksOf(page).flatMap((href) => {
      const fault = faultOf(page, href);
      return fault === undefined ? [] : [`${page.path}: ${href}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(60);
});

test('a link to a missing file, heading or folder is found', () => {
  const page = { path: 'docs/verify.md', text: '' };
  expect(faultOf(page, '#exit-codes')).toBeUndefined();
  expect(faultOf(page, '#nothing')).toBe('no such heading');
  expect(faultOf(page, 'nothing.md')).toBe('no such file');
  expect(faultOf(page, '../../elsewhere.md')).toBe('outside of the repository');
  expect(faultOf(page, 'bridge.md#nothing')).toBe('no such heading');
  expect(faultOf(page, 'https://')).toBe('invalid URL');
});

test('every file that a page names in code exists', () => {
  const PATH = /^(src|harness|targets|bridge|e2e|scripts|docs|examples|public|\.github)\/[\w./-]+\.\w+$/;
  const missing = pages.flatMap((page) =>
    inlineCodeOf(page)
      .filter((code) => PATH.test(code) && !NOT_IN_REPOSITORY.test(code) && !isThere(code))
      .map((code) => `${page.path}: ${code}`),
  );
  expect(missing).toEqual([]);
});

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const ours = pages.filter(({ path }) => path !== 'docs/public-servers.md');
  const named = ours.flatMap((page) => {
    const code = [
      ...inlineCodeOf(page),
      ...blocksOf(page).map((block) => (block.language === 'sh' ? block.code : '')),
    ];
    return code.flatMap((text) =>
      [...text.matchAll(/\bnpm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => ({ page: page.path, name })),
    );
  });
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

test('every page of docs/ is in its list, and the README has at most 130 lines', () => {
  const list = pageAt.get('docs/README.md');
  const listed = new Set(list && linksOf(list));
  const names = pages.map(({ path }) => /^docs\/([\w-]+\.md)$/.exec(path)?.[1]);
  expect(names.filter((name) => name !== undefined && name !== 'README.md' && !listed.has(name))).toEqual([]);
  expect(pageAt.get('README.md')?.text.split('\n').length).toBeLessThanOrEqual(131);
});
