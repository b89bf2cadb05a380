import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { readPages } from './pages.ts';
import { makeSite } from './site.ts';

test('every link of the site leads to a page of it, and every picture to a file', () => {
  const { files, images } = makeSite(readPages());
  const paths = new Map(files.map(({ path, text }) => [path, text]));
  const broken = files.flatMap(({ path, text }) =>
    [...text.matchAll(/ href="([^"]*)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => !/^https?:/.test(href))
      .filter((href) => {
        const [name = '', anchor] = href.split('#');
        const target = name === '' ? path : posix.normalize(posix.join(posix.dirname(path), name));
        return (
          !paths.has(target) || (anchor !== undefined && !paths.get(target)?.includes(` id="${anchor}"`))
        );
      })
      .map((href) => `${path}: ${href}`),
  );
  expect(broken).toEqual([]);
  expect(files.length).toBeGreaterThan(20);
  expect(images).toContain('e2e/screenshots/reload.webp');
  expect(images.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('escapes what a page says, and leaves out links to sources', () => {
  const { files } = makeSite([
    { path: 'docs/a.md', text: '# A & <b>\n\n[code](../src/main.ts) [next](b.md#part) `<script>`\n' },
    { path: 'docs/b.md', text: '# B\n\n## Part\n' },
  ]);
  const text = files[0]?.text ?? '';
  expect(text).toContain('<title>A &amp; &lt;b> · Reprise</title>');
  expect(text).toContain('code <a href="b.html#part">next</a> <code>&lt;script&gt;</code>');
});
