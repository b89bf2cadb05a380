/** The timeline as one HTML file that needs nothing: no server, no script, no network. */
import { bytes } from '../../base/words.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { messageOf } from '../../log/log.ts';
import { describeEntry } from '../entryLine.ts';
import { gapsOf, layOut } from '../lanes.ts';
import { LogIndex } from '../logIndex.ts';
import type { Mark } from '../drawnKind.ts';
import type { Span } from '../span.ts';
import { fit, sinceZero, type TimeScale } from '../timeScale.ts';
import { bare } from './bare.ts';
import { leftOut, shownInfo, type LogInfo, type ShareOptions } from './logFile.ts';
import { MermaidDiagram } from './mermaid.ts';

/** More than this no browser shows as one page. */
const MOST_ENTRIES = 20_000;
const MOST_CHARS = 20_000;
const WIDTH = 1100;
const LABEL = 130;
const LANE = 22;

export async function* printHtml(
  whole: LogInfo,
  chunks: () => AsyncIterable<readonly Entry[]>,
  options: ShareOptions = {},
): AsyncGenerator<string> {
  const info = shownInfo(whole, options);
  const shared = (entry: Entry): Entry => (options.withoutContent ? bare(entry) : entry);
  const index = new LogIndex();
  const diagram = new MermaidDiagram();
  for await (const entries of chunks()) {
    const some = entries.map(shared);
    index.add(some);
    diagram.add(some);
  }
  const skipped = Math.max(0, index.length - MOST_ENTRIES);
  const missing = [
    ...leftOut(options),
    ...(skipped > 0 ? [`The oldest ${skipped.toLocaleString('en')} entries (shown in the lanes only).`] : []),
  ];
  const title = `${info.server} – Reprise timeline`;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<title>${escape(title)}</title><style>${STYLE}</style></head><body>
<h1>${escape(info.server)}</h1>
<p>${escape(info.url)} · exported ${new Date(info.exportedAt).toISOString()} · ${index.length.toLocaleString('en')} entries</p>
<h2>Not included</h2><ul>${missing.map((one) => `<li>${escape(one)}</li>`).join('')}</ul>
<h2>Lanes</h2>
${drawLanes(index)}
<p class="key">● live &nbsp; ◍ replayed &nbsp; ○ duplicate (dropped) &nbsp; ⊗ lost &nbsp; ? unknown &nbsp; ◇ question &nbsp; ◆ answered &nbsp; → sent. Shaded: no page loaded.</p>
<h2>Sequence diagram (Mermaid)</h2>
<pre class="diagram">${escape(diagram.print())}</pre>
<h2>Entries</h2>
`;
  const zero = index.length > 0 ? index.timeAt(0) : 0;
  const first = index.seqAt(skipped);
  for await (const entries of chunks()) {
    yield entries
      .filter(({ seq }) => seq >= first)
      .map((entry) => row(shared(entry), zero))
      .join('');
  }
  yield '</body></html>\n';
}

const SIGNS: Readonly<Record<Mark, string>> = {
  sent: '→',
  live: '●',
  replayed: '◍',
  duplicate: '○',
  lost: '⊗',
  unknown: '?',
  waiting: '◇',
  answered: '◆',
  plain: '·',
};

function row(entry: Entry, zero: number): string {
  const { mark, kind, label, gist, stream } = describeEntry(entry);
  const cells = [sinceZero(entry.at - zero, true), `${SIGNS[mark]} ${kind}`, label, gist, stream];
  const text = JSON.stringify(messageOf(entry) ?? entry, undefined, 2);
  const shown = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}\n… (${bytes(text.length)})` : text;
  return `<details${entry.kind === 'load' ? ' class="load"' : ''}><summary>${cells
    .map((cell) => `<span>${escape(cell)}</span>`)
    .join('')}</summary><pre>${escape(shown)}</pre></details>\n`;
}

function drawLanes(index: LogIndex): string {
  const { lanes, lanesOf } = layOut(index);
  if (index.length === 0) return '<p>No entries.</p>';
  const range = { from: index.timeAt(0), to: index.timeAt(index.length - 1) };
  const scale = fit(range, WIDTH - LABEL);
  const height = lanes.length * LANE;
  const x = (time: number): number => Math.round((LABEL + scale.x(time)) * 10) / 10;
  const middle = (lane: number): number => lane * LANE + LANE / 2;
  const parts = [
    ...gapsOf(index.exchanges).map(
      ({ from, to }) =>
        `<rect x="${x(from)}" y="0" width="${Math.max(2, x(to) - x(from))}" height="${height}" class="gap"/>`,
    ),
    ...index.exchanges.loads.map(({ from }) => `<path d="M${x(from)} 0V${height}" class="reload"/>`),
    ...lanes.flatMap(({ label, bars }, lane) => [
      `<text x="4" y="${middle(lane) + 4}">${escape(label)}</text>`,
      ...bars.map(({ span, role }) => bar(span, role, middle(lane), x, range.to)),
    ]),
    ...marks(index, lanesOf, scale, middle),
  ];
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Timeline lanes">${parts.join('\n')}</svg>`;
}

function bar(span: Span, role: string, y: number, x: (time: number) => number, now: number): string {
  const from = x(span.from);
  const width = Math.max(2, x(span.to ?? now) - from);
  const thick = role === 'whole' ? 10 : 3;
  return `<rect x="${from}" y="${y - thick / 2}" width="${width}" height="${thick}" class="${escape(`${role} ${span.end}`)}"><title>${escape(`${span.label}: ${span.end}`)}</title></rect>`;
}

/** One sign for each pixel of each lane is all that can be seen. */
function marks(
  index: LogIndex,
  lanesOf: ReturnType<typeof layOut>['lanesOf'],
  scale: TimeScale,
  middle: (lane: number) => number,
): readonly string[] {
  const drawn = new Set<string>();
  const found: string[] = [];
  for (let i = 0; i < index.length; i += 1) {
    const shape = index.shapeAt(i);
    if (shape.mark === 'plain') continue;
    const left = Math.round(LABEL + scale.x(index.timeAt(i)));
    for (const lane of lanesOf(shape)) {
      const key = `${left} ${lane} ${shape.mark}`;
      if (drawn.has(key)) continue;
      drawn.add(key);
      found.push(`<text x="${left - 4}" y="${middle(lane) + 4}" class="mark">${SIGNS[shape.mark]}</text>`);
    }
  }
  return found;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 14px/1.45 system-ui, sans-serif; margin: 16px; }
h1 { font-size: 20px; } h2 { font-size: 15px; margin: 20px 0 4px; }
svg { width: 100%; border: 1px solid #8886; border-radius: 6px; }
svg text { font-size: 11px; fill: currentColor; } .mark { font-size: 9px; }
.gap { fill: #8883; } .reload { stroke: currentColor; stroke-width: 1; fill: none; }
rect.whole { fill: #7a6fd455; stroke: #7a6fd4; } rect.carried { fill: #7a6fd4; }
rect.lost, rect.failed, rect.expired { stroke: #c33; stroke-dasharray: 3 2; }
rect.unknown { stroke: #b80; stroke-dasharray: 1 2; } rect.open { stroke-dasharray: 6 2; }
details { border-bottom: 1px solid #8883; } details.load { border-top: 2px solid currentColor; }
summary { display: grid; grid-template-columns: 90px 110px 220px 1fr 60px; gap: 12px; cursor: pointer; }
summary span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: 8px; margin: 0 0 8px; }
.diagram { max-height: 240px; overflow: auto; }
`;
