/** Files that a docs page shows under their names, and its code blocks: what a reader copies. Pure. */

export interface DocsFile {
  readonly name: string;
  readonly text: string;
}

export interface DocsBlock {
  readonly language: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const FILE = /^`([\w.-]+)`:\n+```\w+\n([\s\S]*?)^```$/gm;

/** The files of the section with this heading. */
export function filesIn(page: string, heading: string): readonly DocsFile[] {
  const [, section = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [own = ''] = section.split(/^#+ /m);
  return [...own.matchAll(FILE)].map(([, name = '', text = '']) => ({ name, text }));
}

export function blocksIn(page: string): readonly DocsBlock[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    line: page.slice(0, match.index).split('\n').length,
    text: match[2] ?? '',
  }));
}
