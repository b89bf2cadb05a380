/** The report as one self-contained HTML file. Pure; every value is escaped by the templates. */
import { duration } from '../../src/base/format.ts';
import type { Report } from './facts.ts';
import { drawCosts } from './htmlCosts.ts';
import { drawProblem } from './htmlProblem.ts';
import { drawLegend, drawScenarios } from './htmlScenarios.ts';
import { NO_LOGS, type LogLinks, type LogOf } from './logLinks.ts';
import { Markup, markup } from './markup.ts';
import { PATTERNS } from './patterns.ts';
import { commandFor, problemsIn, sumOf, type Tally } from './problems.ts';
import { STYLE } from './style.ts';
import { browserIn, explainOutcome } from './text.ts';

const LOGO = new Markup(
  '<svg viewBox="0 0 14 18" aria-hidden="true"><circle cx="2" cy="6" r="1.7"/><circle cx="2" cy="12" r="1.7"/>' +
    '<rect x="6" width="1.4" height="18"/><rect x="9.4" width="4" height="18"/></svg>',
);

export function drawHtml(reports: readonly Report[], logs: LogLinks = NO_LOGS): string {
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
${reports.length > 1 ? drawOverview(reports) : undefined}
${reports.map((report, at) => drawServer(report, `s${at + 1}`, (name) => logs(at, name)))}
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
  return markup`<section class="card"><h1>${reports.length} servers</h1><div class="scroll"><table class="overview">
<tr><th>server</th><th>URL</th><th>outcome</th><th>grade</th><th>fails</th></tr>${rows}</table></div></section>`;
}

function drawServer(report: Report, id: string, logOf: LogOf): Markup {
  const { server, outcome, grade, scenarios, tool, reloadCosts = [] } = report;
  const tone = TONE_OF_GRADE[grade.replace(/ \(.*$/, '')] ?? 'bad';
  const problems = problemsIn(report);
  const head = [
    'Reload report',
    report.startedAt.replace('T', ' ').slice(0, 16),
    `${scenarios.length} scenarios in ${duration(report.durationMs)}`,
    `seed ${report.seed}`,
    ...browserIn(report),
    `mcp-reprise ${report.reprise}`,
  ];
  const facts = [
    report.target,
    ...(report.protocolVersion === '' ? [] : [`MCP ${report.protocolVersion}`]),
    ...(tool ? [`${tool.name} ${JSON.stringify(tool.args)}`] : []),
  ];
  return markup`<section class="server" id="${id}">
<p class="brand">${LOGO}<span>${head.join(' · ')}</span></p>
<header class="verdict"><div class="letter ${tone}" aria-label="Outcome ${outcome ?? 'none'}">${outcome ?? '–'}</div>
<div><h1>${server.name} ${server.version} <span class="${tone}">${grade}</span></h1>
<p>${capital(explainOutcome(report))}</p>
<p class="facts">${facts.join(' · ')}</p></div></header>
${drawStrip(report)}
${report.withoutCors === true ? markup`<p class="warn">▲ Tested without CORS enforcement (--allow-no-cors). Browsers can't use this server as it is.</p>` : undefined}
${report.bridge ? markup`<p>ℹ ${capital(report.bridge.note)}</p>` : undefined}
${report.incomplete === undefined ? undefined : markup`<p class="bad">✕ ${report.incomplete}</p>`}
${problems.map((problem, at) => drawProblem(problem, `${id}-p${at + 1}`, `${at + 1} of ${problems.length}`, logOf))}
${drawCosts(reloadCosts)}
${drawScenarios(scenarios, id, logOf)}
${drawLegend()}
<p class="facts">Run it again: <code>${commandFor(report)}</code></p>
</section>`;
}

/** Without the part that says how much was run. */
const TONE_OF_GRADE: Readonly<Record<string, string>> = {
  'reload-safe': 'good',
  'stateless, as specified': 'warn',
  'no session': 'warn',
  bridged: 'warn',
  'not tested': 'warn',
};

const STRIP: Readonly<Record<Tally, readonly [string, string]>> = {
  failed: ['bad', '✕'],
  passed: ['good', '✓'],
  'not testable': ['warn', '?'],
  'not offered': ['', '–'],
};

/** One block for each scenario, failures first, and the sum below. */
function drawStrip({ scenarios }: Report): Markup | undefined {
  const sums = sumOf(scenarios);
  if (sums.length === 0) return undefined;
  const blocks = sums.flatMap(([number, tally]) =>
    Array.from({ length: number }, () => markup`<i class="${STRIP[tally][0]}"></i>`),
  );
  const words = sums.map(
    ([number, tally]) => markup`<li class="${STRIP[tally][0]}">${STRIP[tally][1]} ${number} ${tally}</li>`,
  );
  return markup`<div class="strip" aria-hidden="true">${blocks}</div><ul class="sum">${words}</ul>`;
}

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
