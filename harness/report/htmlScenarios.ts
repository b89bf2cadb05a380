/** All scenarios in the HTML report: the numbers, failures first, and each with what it saw. Pure. */
import { SCENARIOS } from '../scenarios/index.ts';
import type { MarkKind, ScenarioResult, Verdict } from './facts.ts';
import type { LogOf } from './logLinks.ts';
import { joined, markup, type Markup } from './markup.ts';
import { describeExchange } from './text.ts';
import { drawMark, drawWaterfallSvg } from './waterfallSvg.ts';

/** Failures are what a reader looks for. */
const FIRST: readonly Verdict[] = ['fail', 'pass'];
const WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'passed',
  fail: 'failed',
  unsupported: 'not supported',
  skipped: 'skipped',
};
const SIGNS: Readonly<Record<Verdict, string>> = { pass: '✓', fail: '✕', unsupported: '–', skipped: '?' };
const TONES: Readonly<Record<Verdict, string>> = {
  pass: 'good',
  fail: 'bad',
  unsupported: 'soft',
  skipped: 'warn',
};
const COLUMNS = ['received', 'replayed', 'duplicates', 'lost', 'out of order', 'blind window', 'reconnected'];

export function drawScenarios(
  scenarios: readonly ScenarioResult[],
  id: string,
  logOf: LogOf,
): Markup | undefined {
  if (scenarios.length === 0) return undefined;
  const judged = scenarios
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'pass')
    .sort((a, b) => FIRST.indexOf(a.verdict) - FIRST.indexOf(b.verdict));
  const others = scenarios.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'skipped');
  return markup`<article class="card"><header><h2>All scenarios</h2></header>
<div class="scroll"><table><tr><th>scenario</th><th>verdict</th>${COLUMNS.map((name) => markup`<th>${name}</th>`)}</tr>
${joined(
  judged.map((one) => drawRow(one, id)),
  '\n',
)}</table></div>
<ul class="evidence">${drawOthers(others)}</ul>
${judged.map((one) => drawDetails(one, id, logOf(one.name)))}
</article>`;
}

/** What has no verdict, once for each reason. */
function drawOthers(others: readonly ScenarioResult[]): readonly Markup[] {
  const groups = new Map<string, ScenarioResult[]>();
  for (const one of others) groups.set(one.why, [...(groups.get(one.why) ?? []), one]);
  return [...groups].map(([why, results]) => {
    const names = results.map(({ name }) => name).join(', ');
    const { verdict } = results[0] ?? { verdict: 'skipped' as const };
    return markup`<li><span class="${TONES[verdict]}">${SIGNS[verdict]} ${WORDS[verdict]}: <code>${names}</code>. ${why}</span></li>`;
  });
}

function drawRow(one: ScenarioResult, id: string): Markup {
  const { name, verdict, received, control } = one;
  const cell = (value: number | undefined, unit = ''): string =>
    value === undefined ? '' : `${Math.round(value)}${unit}`;
  const cells = [
    received === undefined || control === undefined ? cell(received) : `${received}/${control}`,
    cell(one.replayed),
    cell(one.duplicates),
    cell(one.lost),
    cell(one.outOfOrder),
    cell(one.blindWindowMs, ' ms'),
    cell(one.reconnectMs, ' ms'),
  ];
  return markup`<tr><td><a href="#${id}-${name}">${name}</a></td><td class="${TONES[verdict]}">${SIGNS[verdict]} ${WORDS[verdict]}</td>${cells.map((text) => markup`<td>${text}</td>`)}</tr>`;
}

function drawDetails(one: ScenarioResult, id: string, log: string | undefined): Markup {
  const { name, verdict, why, exchange, remarks = [], waterfall } = one;
  const summary = SCENARIOS.find((scenario) => scenario.name === name)?.summary;
  return markup`<details class="scenario" id="${id}-${name}"><summary><span class="${TONES[verdict]}">${SIGNS[verdict]}</span> <code>${name}</code> <span class="soft">${summary}</span></summary>
<p>${why}${log === undefined ? undefined : markup` <a href="${log}">Open the log</a>`}</p>
${waterfall && markup`<div class="scroll lanes">${drawWaterfallSvg(waterfall, name)}</div>`}
${verdict === 'fail' && exchange ? markup`<pre>${describeExchange(exchange)}</pre>` : undefined}
${remarks.map((remark) => markup`<p class="soft">Note: ${remark}</p>`)}
</details>
`;
}

const LEGEND: readonly (readonly [MarkKind, string])[] = [
  ['live', 'live'],
  ['replayed', 'replayed'],
  ['duplicate', 'duplicate (dropped)'],
  ['lost', 'lost'],
  ['result', 'result'],
];

export function drawLegend(): Markup {
  const items = LEGEND.map(
    ([kind, label]) =>
      markup`<li><svg viewBox="0 0 22 24" aria-hidden="true">${drawMark({ kind, label, at: 0 }, 11, kind === 'duplicate' ? 3 : 12)}</svg>${label}</li>`,
  );
  const gap = markup`<li><svg viewBox="0 0 22 24" aria-hidden="true"><rect class="gap" x="1" y="3" width="20" height="18"/></svg>no page or no connection</li>`;
  const bar = markup`<li><svg viewBox="0 0 22 24" aria-hidden="true"><g class="reload"><circle cx="5" cy="8" r="1.8"/><circle cx="5" cy="16" r="1.8"/><rect x="9" y="3" width="1.2" height="18"/><rect x="11.6" y="3" width="3.4" height="18"/></g></svg>page reloaded</li>`;
  return markup`<ul class="legend">${[...items, gap, bar]}</ul>`;
}
