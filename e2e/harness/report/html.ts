/** The report as one self-contained HTML file. Pure; every value is escaped by the templates. */
import { duration } from '../../../src/base/words.ts';
import { OUTCOME_WORDS } from '../judge/outcome.ts';
import type { MarkKind, Report, ScenarioResult, Verdict, Waterfall } from './facts.ts';
import { joined, Markup, markup } from './markup.ts';
import { shellQuote } from './shellQuote.ts';
import { STYLE } from './style.ts';
import { describeExchange, describeLevel } from './table.ts';
import { drawMark, drawWaterfallSvg } from './waterfallSvg.ts';

const LOGO = new Markup(
  '<svg viewBox="0 0 14 18" aria-hidden="true"><circle cx="2" cy="6" r="1.7"/><circle cx="2" cy="12" r="1.7"/>' +
    '<rect x="6" width="1.4" height="18"/><rect x="9.4" width="4" height="18"/></svg>',
);

/** Hatching and shading, defined once for all drawings of the page. */
const PATTERNS = new Markup(
  '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>' +
    '<pattern id="hatch" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
    '<rect width="3" height="3" fill="var(--panel)"/><rect width="1.5" height="3" fill="var(--accent)"/></pattern>' +
    '<pattern id="shading" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">' +
    '<rect width="1.2" height="7" fill="var(--shade)" opacity="0.55"/></pattern></defs></svg>',
);

const LEGEND: readonly (readonly [MarkKind, string])[] = [
  ['live', 'live'],
  ['replayed', 'replayed'],
  ['duplicate', 'came again, dropped'],
  ['lost', 'lost'],
  ['result', 'result'],
];

export function drawHtml(reports: readonly Report[]): string {
  const title =
    reports.length === 1
      ? `${reports[0]?.server.name ?? ''}: ${reports[0]?.grade ?? ''}`
      : `${reports.length} servers`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<title>Reprise: ${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${PATTERNS}
<main>
<div class="brand">${LOGO}<span>Reprise: can a user press F5 on it?</span></div>
${reports.length > 1 ? drawOverview(reports) : undefined}
${reports.map((report, at) => drawServer(report, `s${at + 1}`))}
</main>
</body>
</html>
`.text;
}

function drawOverview(reports: readonly Report[]): Markup {
  const rows = reports.map(({ server, target, outcome, grade, scenarios }, at) => {
    const failed = scenarios.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
    return markup`<tr><td><a href="#s${at + 1}">${server.name} ${server.version}</a></td><td>${target}</td><td>${outcome ?? '–'}</td><td>${grade}</td><td>${failed.join(', ') || '–'}</td></tr>`;
  });
  return markup`<section class="server"><h1>${reports.length} servers</h1><div class="scroll"><table class="overview">
<tr><th>server</th><th>address</th><th>outcome</th><th>grade</th><th>fails</th></tr>${rows}</table></div></section>`;
}

function drawServer(report: Report, id: string): Markup {
  const { server, outcome, grade, scenarios, tool } = report;
  const tone = TONE_OF_GRADE[grade.replace(/ \(.*$/, '')] ?? 'bad';
  const sum = (['pass', 'fail', 'unsupported', 'skipped'] as const)
    .map((verdict) => [scenarios.filter((one) => one.verdict === verdict).length, WORDS[verdict]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
  const sorted = [...scenarios].sort((a, b) => FIRST.indexOf(a.verdict) - FIRST.indexOf(b.verdict));
  const called = tool ? ['--tool', tool.name, '--args', JSON.stringify(tool.args)] : [];
  const words = [report.target, ...called, '--seed', String(report.seed)];
  const rerun = `npx mcp-reprise verify ${words.map(shellQuote).join(' ')}`;
  const facts = [
    report.target,
    `MCP ${report.protocolVersion}`,
    ...(tool ? [`${tool.name} ${JSON.stringify(tool.args)}`] : []),
    report.startedAt.replace('T', ' ').slice(0, 16),
    duration(report.durationMs),
    `seed ${report.seed}`,
    `mcp-reprise ${report.reprise}`,
  ];
  return markup`<section class="server" id="${id}">
<div class="verdict ${tone}"><div class="letter" aria-label="Outcome ${outcome ?? 'none'}">${outcome ?? '–'}</div>
<h1>${server.name} ${server.version}: ${grade}</h1>
<div>${outcome ? capital(OUTCOME_WORDS[outcome]) : 'No outcome: no interrupted call could be judged.'} ${sum}.</div></div>
<p class="facts">${facts.join(' · ')}</p>
${report.withoutCors === true ? markup`<p class="why warn">▲ The browser did not enforce CORS (--allow-no-cors): no ordinary page gets this far.</p>` : undefined}
${report.bridge ? markup`<p class="why">ℹ ${capital(report.bridge.note)}</p>` : undefined}
${report.incomplete === undefined ? undefined : markup`<p class="why bad">✕ ${report.incomplete}</p>`}
${drawNumbers(sorted, id)}
${drawLegend()}
${sorted.map((scenario) => drawScenario(scenario, id))}
<p class="facts">To run it again: ${rerun}</p>
</section>`;
}

/** Without the part that says how much was run. */
const TONE_OF_GRADE: Readonly<Record<string, string>> = {
  'reload-safe': 'good',
  'as its revision allows': 'warn',
  'no session': 'warn',
  bridged: 'warn',
  'not judged': 'warn',
};

/** Failures are what a reader looks for. */
const FIRST: readonly Verdict[] = ['fail', 'pass', 'skipped', 'unsupported'];

const WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'passed',
  fail: 'failed',
  unsupported: 'not supported',
  skipped: 'skipped',
};
const SIGNS: Readonly<Record<Verdict, string>> = { pass: '✓', fail: '✕', unsupported: '–', skipped: '·' };
const TONES: Readonly<Record<Verdict, string>> = {
  pass: 'good',
  fail: 'bad',
  unsupported: 'warn',
  skipped: '',
};

function drawNumbers(scenarios: readonly ScenarioResult[], id: string): Markup {
  const cell = (value: number | undefined, unit = ''): Markup =>
    markup`<td>${value === undefined ? '' : `${Math.round(value)}${unit}`}</td>`;
  const rows = scenarios.map((one) => {
    const counts = [one.control, one.received, one.replayed, one.duplicates, one.lost, one.outOfOrder];
    const times = [one.blindWindowMs, one.reconnectMs];
    return markup`<tr><td><a href="#${id}-${one.name}">${one.name}</a></td><td class="${TONES[one.verdict]}">${SIGNS[one.verdict]} ${WORDS[one.verdict]}</td>${counts.map((value) => cell(value))}${times.map((value) => cell(value, ' ms'))}</tr>`;
  });
  return markup`<div class="scroll"><table><tr><th>scenario</th><th>verdict</th><th>control</th><th>received</th><th>replayed</th><th>duplicates</th><th>lost</th><th>out of order</th><th>blind window</th><th>reconnected in</th></tr>
${joined(rows, '\n')}</table></div>`;
}

function drawLegend(): Markup {
  const items = LEGEND.map(
    ([kind, label]) =>
      markup`<li><svg viewBox="0 0 22 24" aria-hidden="true">${drawMark({ kind, label, at: 0 }, 11, kind === 'duplicate' ? 3 : 12)}</svg>${label}</li>`,
  );
  const gap = markup`<li><svg viewBox="0 0 22 24" aria-hidden="true"><rect class="gap" x="1" y="3" width="20" height="18"/></svg>no page</li>`;
  const bar = markup`<li><svg viewBox="0 0 22 24" aria-hidden="true"><g class="reload"><circle cx="5" cy="8" r="1.8"/><circle cx="5" cy="16" r="1.8"/><rect x="9" y="3" width="1.2" height="18"/><rect x="11.6" y="3" width="3.4" height="18"/></g></svg>the page came back</li>`;
  return markup`<ul class="legend">${[...items, gap, bar]}</ul>`;
}

function drawScenario(scenario: ScenarioResult, id: string): Markup {
  const { name, verdict, why, fix, exchange, remarks = [], waterfall } = scenario;
  return markup`<article class="scenario" id="${id}-${name}">
<header><h2>${name}</h2><span class="badge ${TONES[verdict]}">${SIGNS[verdict]} ${WORDS[verdict]}</span></header>
<p class="why">${why}${describeLevel(scenario)}</p>
${waterfall && markup`<div class="scroll">${drawWaterfallSvg(named(waterfall, name), name)}</div>`}
${verdict === 'fail' && exchange ? markup`<pre>${describeExchange(exchange)}</pre>` : undefined}
${fix === undefined ? undefined : markup`<p class="fix"><strong>To change:</strong> ${fix}</p>`}
${remarks.map((remark) => markup`<p class="remark">Note: ${remark}</p>`)}
</article>
`;
}

/** What happened to the page, where it was no reload. */
const HAPPENED: Readonly<Record<string, string>> = {
  'finish-while-away': 'closed and opened',
  'tab-crash': 'crash',
  'browser-restart': 'browser restart',
  'second-tab': 'another tab',
};

function named(waterfall: Waterfall, scenario: string): Waterfall {
  const label = HAPPENED[scenario];
  return label === undefined
    ? waterfall
    : { ...waterfall, gaps: waterfall.gaps.map((gap) => ({ ...gap, label })) };
}

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
