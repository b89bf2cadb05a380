/** The docs as a static site: the same folders, with `.html` for `.md`. Pure. */
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { headingSlug } from '../../src/ui/help/headingSlug.ts';
import type { Page } from './pages.ts';

export interface SiteFile {
  readonly path: string;
  readonly text: string;
}

export interface Site {
  readonly files: readonly SiteFile[];
  /** Files of the repository that the pages show. */
  readonly images: readonly string[];
}

const START = 'docs/README.md';

export function makeSite(pages: readonly Page[]): Site {
  const paths = new Set(pages.map(({ path }) => path));
  const images = new Set<string>();
  const files = pages.map((page) => ({ path: htmlOf(page.path), text: renderPage(page, paths, images) }));
  const start = `<!doctype html>
<meta charset="utf-8" />
<title>Reprise</title>
<meta http-equiv="refresh" content="0; url=${htmlOf(START)}" />
<p><a href="${htmlOf(START)}">Documentation of Reprise</a></p>
`;
  return { files: [...files, { path: 'index.html', text: start }], images: [...images] };
}

const htmlOf = (path: string): string => path.replace(/\.md$/, '.html');

function renderPage(page: Page, paths: ReadonlySet<string>, images: Set<string>): string {
  const folder = posix.dirname(page.path);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${headingSlug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        if (/^(https?:|#)/.test(href)) return `<a href="${escapeHtml(href)}">${inner}</a>`;
        const [path = '', anchor] = href.split('#');
        const target = posix.normalize(posix.join(folder, path));
        // Sources aren't part of the site.
        if (!paths.has(target)) return inner;
        return `<a href="${escapeHtml(htmlOf(path) + (anchor === undefined ? '' : `#${anchor}`))}">${inner}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        images.add(posix.normalize(posix.join(folder, href)));
        return `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" />`;
      },
    },
  });
  const title = /^# (.*)$/m.exec(page.text)?.[1] ?? page.path;
  const home = posix.relative(folder, htmlOf(START));
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)} · Reprise</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <nav><a href="${home}">Reprise</a></nav>
    <main>
${marked.parse(page.text, { async: false })}
    </main>
  </body>
</html>
`;
}

const STYLE = `
      body { max-inline-size: 76ch; margin: 0 auto; padding: 16px; font: 16px/1.55 system-ui, sans-serif; }
      a { color: light-dark(#3f3a9e, #aaa6ff); }
      nav { font-weight: 600; }
      pre { overflow-x: auto; padding: 12px; background: light-dark(#f3f2ef, #26262b); border-radius: 6px; }
      code { font: 0.9em ui-monospace, monospace; }
      table { display: block; overflow-x: auto; border-collapse: collapse; }
      th, td { padding: 4px 10px; border: 1px solid light-dark(#dcdad5, #43434b); text-align: start; vertical-align: top; }
      img { max-inline-size: 100%; }
    `;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
