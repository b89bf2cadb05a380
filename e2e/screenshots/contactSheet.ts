/** One page with all pictures, and the drawings beside the views that they are of; as a picture, one for each size. */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';
import { DRAWINGS } from './drawings.ts';

export interface Picture {
  readonly view: string;
  readonly size: string;
  readonly theme: 'light' | 'dark';
  readonly file: string;
}

const STYLE = `
body { margin: 24px; font: 14px system-ui, sans-serif; background: #f4f5f8; color: #1b1c26; }
section > div { display: flex; flex-wrap: wrap; align-items: start; gap: 12px; }
figure { margin: 0 0 12px; }
img { display: block; max-width: 360px; max-height: 420px; border: 1px solid #ccd; }
.pair img { max-width: 900px; max-height: none; width: 48vw; }
`;

/** @returns the path of the page */
export async function writeContactSheet(
  browser: Browser,
  out: string,
  pictures: readonly Picture[],
  drawings: string | undefined,
): Promise<string> {
  const sheet = join(out, 'index.html');
  const views = [...new Set(pictures.map(({ view }) => view))];
  const rows = views.map((view) => {
    const figures = pictures.filter((one) => one.view === view);
    return section(
      view,
      figures.map(({ file, size, theme }) => figure(file, `${size} ${theme}`)),
    );
  });
  const pairs = drawings === undefined ? [] : await pairsIn(drawings, out, pictures);
  await writeFile(sheet, pageOf([...pairs, ...rows]));
  const page = await browser.newPage({ viewport: { width: 2000, height: 1200 } });
  for (const size of new Set(pictures.map((one) => one.size))) {
    const ofSize = pictures.filter((one) => one.size === size);
    const figures = ofSize.map(({ file, view, theme }) => figure(file, `${view} ${theme}`));
    const path = join(out, `contact-sheet-${size}.html`);
    await writeFile(path, pageOf([section(size, figures)]));
    await page.goto(pathToFileURL(path).href);
    await page.screenshot({ path: path.replace(/html$/, 'png'), fullPage: true });
  }
  await page.close();
  return sheet;
}

const pageOf = (parts: readonly string[]): string =>
  `<!doctype html><meta charset="utf-8"><title>Views of Reprise</title><style>${STYLE}</style>${parts.join('')}`;

async function pairsIn(drawings: string, out: string, pictures: readonly Picture[]): Promise<string[]> {
  const folder = join(out, 'drawings');
  await mkdir(folder, { recursive: true });
  const there = new Set(await readdir(drawings));
  const pairs: string[] = [];
  for (const [drawing, file] of Object.entries(DRAWINGS)) {
    if (!there.has(drawing) || !pictures.some((one) => one.file === file)) continue;
    await copyFile(join(drawings, drawing), join(folder, drawing));
    pairs.push(section(file, [figure(`drawings/${drawing}`, 'Drawing'), figure(file, 'View')], 'pair'));
  }
  return pairs;
}

function section(title: string, figures: readonly string[], kind = ''): string {
  return `<section class="${kind}"><h2>${title}</h2><div>${figures.join('')}</div></section>`;
}

function figure(file: string, caption: string): string {
  return `<figure><img src="${file}" alt="${file}"><figcaption>${caption}</figcaption></figure>`;
}
