/** Engines × stories as Markdown, and its place in the docs. Pure. */
export interface Row {
  readonly row: string;
  /** By engine, in its order. */
  readonly cells: ReadonlyMap<string, string>;
}

export function drawTable(engines: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(['', ...engines]),
    line(['---', ...engines.map(() => '---')]),
    ...rows.map(({ row, cells }) => line([row, ...engines.map((name) => cells.get(name) ?? 'not measured')])),
  ].join('\n');
}

const START = '<!-- results -->';
const END = '<!-- end -->';

export function withResults(page: string, results: string): string {
  const [before, after] = [page.indexOf(START), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`The page has no ${START} and ${END}.`);
  return `${page.slice(0, before + START.length)}\n\n${results}\n\n${page.slice(after)}`;
}
