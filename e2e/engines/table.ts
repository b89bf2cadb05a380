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
  const { before, after } = partsOf(page);
  return `${before}\n\n${results}\n\n${after}`;
}

/** What the page says already, story by story: a run of some stories leaves the rest as it is. */
export function readRows(page: string): readonly Row[] {
  const [head, , ...lines] = partsOf(page)
    .results.split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
  const [, ...engines] = head ?? [];
  return lines.map(([row = '', ...cells]) => ({
    row,
    cells: new Map(engines.map((name, at) => [name, (cells[at] ?? '').replaceAll('\\|', '|')])),
  }));
}

function partsOf(page: string): { before: string; results: string; after: string } {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The page has no ${START} and ${END}.`);
  const from = start + START.length;
  return { before: page.slice(0, from), results: page.slice(from, end), after: page.slice(end) };
}
