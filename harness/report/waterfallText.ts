/** A waterfall as lines of text, for places that draw no pictures: a CI summary, a terminal. Pure. */
import { duration } from '../../src/base/format.ts';
import type { Mark, MarkKind, Waterfall } from './facts.ts';

const WIDTH = 64;

const SIGNS: Readonly<Record<MarkKind, string>> = {
  live: '|',
  replayed: 'r',
  duplicate: 'd',
  lost: 'x',
  result: '#',
  question: '?',
  answered: 'a',
};
const WORDS: Readonly<Record<MarkKind, string>> = {
  live: 'received',
  replayed: 'replayed',
  duplicate: 'duplicate',
  lost: 'lost',
  result: 'result',
  question: 'input request',
  answered: 'answered',
};
/** What hides what, where two share a column. */
const ORDER: readonly MarkKind[] = [
  'live',
  'duplicate',
  'answered',
  'question',
  'replayed',
  'result',
  'lost',
];
const GAP = '.';

export function drawWaterfallText({ lanes, gaps, durationMs }: Waterfall): string {
  const column = (at: number): number => Math.min(WIDTH - 1, Math.floor((at / durationMs) * WIDTH));
  const nameWidth = Math.max(...lanes.map(({ name }) => name.length));
  const lines = lanes.map(({ name, marks }) => {
    const cells = Array.from({ length: WIDTH }, () => ' ');
    for (const { from, to } of gaps) cells.fill(GAP, column(from), column(to) + 1);
    for (const mark of [...marks].sort(byOrder)) cells[column(mark.at)] = SIGNS[mark.kind];
    return `${name.padEnd(nameWidth)} ${cells.join('')}`.trimEnd();
  });
  const kinds = new Set(lanes.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  const legend = [
    ...ORDER.filter((kind) => kinds.has(kind)).map((kind) => `${SIGNS[kind]} ${WORDS[kind]}`),
    ...gaps.map(({ from, to, label }) => `${GAP} ${label} (${duration(to - from)})`),
  ];
  return [...lines, `${' '.repeat(nameWidth)} 0 to ${duration(durationMs)}: ${legend.join(', ')}`].join('\n');
}

const byOrder = (a: Mark, b: Mark): number => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
