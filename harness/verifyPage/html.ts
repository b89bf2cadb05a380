/** The report on a page as one self-contained HTML file. Pure. */
import { duration } from '../../src/base/format.ts';
import { Markup, markup } from '../report/markup.ts';
import { PATTERNS } from '../report/patterns.ts';
import { STYLE } from '../report/style.ts';
import { drawWaterfallSvg } from '../report/waterfallSvg.ts';
import type { PageFinding, PageReport, PageResult } from './facts.ts';
import { LETTER_WORDS } from './letter.ts';

const TONES = { pass: 'good', fail: 'bad', unsupported: 'soft', skipped: 'warn' };
const SIGNS = { pass: '✓', fail: '✕', unsupported: '–', skipped: '?' };

export function drawPageHtml(report: PageReport): string {
  const { page, letter, grade, results, browser, seed, durationMs, reprise, tool } = report;
  const tone = grade === 'reload-safe' ? 'good' : 'bad';
  const facts = [
    page,
    browser,
    ...(tool === null ? [] : [tool]),
    `seed ${seed}`,
    duration(durationMs),
    `mcp-reprise ${reprise}`,
  ];
  const sorted = [...results].sort((a, b) => Number(a.verdict !== 'fail') - Number(b.verdict !== 'fail'));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<title>Reprise: ${page}: ${grade}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${PATTERNS}
<main>
<header class="verdict"><div class="letter ${tone}">${letter ?? '–'}</div>
<div><h1>${page} <span class="${tone}">${grade}</span></h1>
<p>${letter === null ? 'No call could be tested.' : `The page ${LETTER_WORDS[letter]}.`}</p>
<p class="facts">${facts.join(' · ')}</p></div></header>
<section class="card"><div class="scroll"><table class="words"><tr><th>server</th><th>scenario</th><th>letter</th><th>result</th></tr>${results.map(drawRow)}</table></div></section>
${sorted.map(drawResult)}
</main>
</body>
</html>
`.text;
}

const drawRow = ({ target, name, verdict, letter, why }: PageResult): Markup =>
  markup`<tr><td>${target}</td><td>${name}</td><td class="${TONES[verdict]}">${SIGNS[verdict]} ${letter ?? '–'}</td><td>${why}</td></tr>`;

function drawResult({ target, name, verdict, letter, why, waterfall, findings }: PageResult): Markup {
  return markup`<article class="card"><header><h2>${target}: ${name}</h2><span class="level ${TONES[verdict]}">${SIGNS[verdict]} ${letter ?? '–'}</span></header>
<p>${why}</p>
${waterfall && markup`<div class="scroll lanes">${drawWaterfallSvg(waterfall, `${target} ${name}`)}</div>`}
${findings.map(drawFinding)}
</article>
`;
}

const drawFinding = ({
  rule,
  level,
  clause,
  expected,
  received,
  fix,
  exchange,
}: PageFinding): Markup => markup`<h3 class="bad">✕ ${rule} <span class="level">${level}${clause === undefined ? '' : `, ${clause}`}</span></h3>
<p>Expected: ${expected}<br>Received: ${received}</p>${exchange === undefined ? undefined : markup`<pre>${exchange}</pre>`}<p>Fix: ${fix}</p>
`;
