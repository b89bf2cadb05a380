/** The Markdown pages of the repository, as data for the tests of the docs and for the site of `npm run docs`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { lexer, walkTokens, type Token, type Tokens } from 'marked';
import { headingSlug } from '../../src/ui/help/headingSlug.ts';
import { ROOT } from '../lib/paths.mjs';

export interface Page {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Block {
  readonly page: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const FOLDERS = ['docs', 'targets', 'e2e', 'examples', '.github'];

export function readPages(): readonly Page[] {
  const deep = FOLDERS.flatMap((folder) =>
    listFiles(folder).filter((path) => !path.includes('/node_modules/') && !path.includes('/programs/')),
  );
  return [...readdirSync(ROOT), ...deep]
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const listFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    posix.join(folder, name.replaceAll('\\', '/')),
  );

/** The code blocks, read by line, because the tokens of the lexer don't know their lines. */
export function blocksOf({ path, text }: Page): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; indent: string; code: string[] } | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    const fence = /^(\s*)```(\S*)/.exec(line);
    if (open && fence) {
      blocks.push({ page: path, line: open.line, language: open.language, code: open.code.join('\n') });
      open = undefined;
    } else if (open) {
      open.code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else if (fence) {
      open = { line: i + 1, language: fence[2] ?? '', indent: fence[1] ?? '', code: [] };
    }
  }
  if (open) throw new Error(`${path}:${open.line}: this code block isn't closed.`);
  return blocks;
}

function tokensOf({ text }: Page): readonly Token[] {
  const found: Token[] = [];
  void walkTokens(lexer(text), (token) => void found.push(token));
  return found;
}

/** Where links and images point to, as written. */
export const linksOf = (page: Page): readonly string[] =>
  tokensOf(page)
    .filter((token): token is Tokens.Link | Tokens.Image => token.type === 'link' || token.type === 'image')
    .map(({ href }) => href);

export const inlineCodeOf = (page: Page): readonly string[] =>
  tokensOf(page)
    .filter((token): token is Tokens.Codespan => token.type === 'codespan')
    .map(({ text }) => text);

export const anchorsOf = (page: Page): ReadonlySet<string> =>
  new Set(
    tokensOf(page)
      .filter((token): token is Tokens.Heading => token.type === 'heading')
      .map(({ text }) => headingSlug(text)),
  );
