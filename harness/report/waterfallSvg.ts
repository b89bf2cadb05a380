/** One scenario as a small waterfall: events told apart by shape first, colour second. Pure. */
import { duration } from '../../src/base/format.ts';
import type { Mark, MarkKind, Waterfall } from './facts.ts';
import { joined, markup, type Markup } from './markup.ts';

const WIDTH = 880;
const LEFT = 92;
const RIGHT = 20;
const LANE = 30;
const TOP = 26;
const MAX_DRIFT = 60;

export function drawWaterfallSvg({ lanes, gaps, durationMs }: Waterfall, title: string): Markup {
  const height = TOP + lanes.length * LANE + 24;
  const x = (at: number): number =>
    round(LEFT + (Math.min(at, durationMs) / durationMs) * (WIDTH - LEFT - RIGHT));
  const bottom = TOP + lanes.length * LANE;
  const shades = gaps.map(({ from, to, label }) => {
    const width = Math.max(3, x(to) - x(from));
    return markup`<rect class="gap" x="${x(from)}" y="${TOP - 6}" width="${width}" height="${bottom - TOP + 6}"><title>${label}, ${duration(to - from)}</title></rect>`;
  });
  const bars = gaps.map(({ from, to, label }) =>
    repeatBar(x(to), bottom, `${label} · ${duration(to - from)}`),
  );
  const rows = lanes.map(({ name, marks }, at) => {
    const y = TOP + at * LANE + LANE / 2;
    return joined([
      markup`<text class="lane" x="${LEFT - 10}" y="${y + 4}" text-anchor="end">${name}</text>`,
      markup`<line class="rail" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/>`,
      ...spread(marks, x).map(([mark, place]) => drawMark(mark, place, y)),
    ]);
  });
  return markup`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}: ${inWords(lanes)}">${shades}${rows}${bars}${axis(durationMs, x, bottom)}</svg>`;
}

/** A replay comes all at once: its events stand side by side instead of on top of each other, up to a limit. */
function spread(marks: readonly Mark[], x: (at: number) => number): readonly (readonly [Mark, number])[] {
  const last = new Map<boolean, number>();
  return marks.map((mark) => {
    const isSmall = mark.kind === 'duplicate';
    const place = x(mark.at);
    const beside = (last.get(isSmall) ?? -Infinity) + (isSmall ? 5 : 8);
    const shown = round(Math.min(Math.max(place, beside), place + MAX_DRIFT, WIDTH - RIGHT / 2));
    last.set(isSmall, shown);
    return [mark, shown] as const;
  });
}

/** The sign of the house: a thin and a thick line with two dots. The page came back here. */
function repeatBar(x: number, bottom: number, label: string): Markup {
  const top = TOP - 6;
  const middle = (top + bottom) / 2;
  return joined([
    markup`<g class="reload"><title>${label}</title>`,
    markup`<circle cx="${x - 7}" cy="${middle - 5}" r="1.8"/><circle cx="${x - 7}" cy="${middle + 5}" r="1.8"/>`,
    markup`<rect x="${x - 3.5}" y="${top}" width="1.2" height="${bottom - top}"/>`,
    markup`<rect x="${x - 1}" y="${top}" width="3.4" height="${bottom - top}"/>`,
    markup`<text x="${Math.min(x, WIDTH - 4)}" y="${top - 5}" text-anchor="${x > WIDTH - 140 ? 'end' : 'middle'}">${label}</text></g>`,
  ]);
}

export function drawMark(
  { kind, label, at }: Pick<Mark, 'kind' | 'label' | 'at'>,
  x: number,
  y: number,
): Markup {
  const title = markup`<title>${label} at ${Math.round(at)} ms</title>`;
  return markup`<g class="${kind}">${title}${SHAPES[kind](x, y)}</g>`;
}

type Shape = (x: number, y: number) => Markup;

const box = (x: number, y: number, size: number): Markup =>
  markup`<rect x="${round(x - size / 2)}" y="${round(y - size)}" width="${size}" height="${2 * size}" rx="1"/>`;

const SHAPES: Readonly<Record<MarkKind, Shape>> = {
  live: (x, y) => box(x, y, 6),
  replayed: (x, y) => box(x, y, 6),
  duplicate: (x, y) => box(x, y + 9, 4),
  lost: (x, y) => markup`${box(x, y, 7)}<path d="M${round(x - 3)} ${y - 4}l6 8m0 -8l-6 8"/>`,
  result: (x, y) => markup`<circle cx="${x}" cy="${y}" r="7"/><path d="M${round(x - 3)} ${y}l2.2 2.6 4 -5"/>`,
  question: (x, y) => markup`<path d="M${x} ${y - 7}l7 7 -7 7 -7 -7z"/>`,
  answered: (x, y) => markup`<path d="M${x} ${y - 7}l7 7 -7 7 -7 -7z"/>`,
};

function axis(durationMs: number, x: (at: number) => number, bottom: number): Markup {
  const steps = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000];
  const step = steps.find((one) => durationMs / one <= 8) ?? durationMs;
  const ticks: Markup[] = [];
  for (let at = 0; at <= durationMs; at += step) {
    const time = at >= 1000 ? `${at / 1000} s` : `${at} ms`;
    ticks.push(
      markup`<line class="tick" x1="${x(at)}" x2="${x(at)}" y1="${bottom}" y2="${bottom + 4}"/>`,
      markup`<text class="time" x="${x(at)}" y="${bottom + 16}" text-anchor="middle">${time}</text>`,
    );
  }
  return joined(ticks);
}

function inWords(lanes: Waterfall['lanes']): string {
  const counts = new Map<MarkKind, number>();
  for (const { kind } of lanes.flatMap(({ marks }) => marks)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
}

const round = (value: number): number => Math.round(value * 10) / 10;
