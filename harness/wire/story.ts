/** What happened on the wire, as one HTML file: a timeline for each call, the findings, every exchange. Pure. */
import { duration } from '../../src/base/format.ts';
import { Markup, markup } from '../report/markup.ts';
import { PATTERNS } from '../report/patterns.ts';
import { STYLE } from '../report/style.ts';
import { drawWaterfallSvg } from '../report/waterfallSvg.ts';
import type { CallTrace } from './callTrace.ts';
import { clip, describeCall, describeFix, describeWireExchange } from './describe.ts';
import { drawTrace } from './drawTrace.ts';
import type { Finding } from './judge.ts';
import type { Recording, WireExchange } from './model.ts';
import { nameOfLoad } from './rules/rule.ts';

export interface StoryCall {
  readonly trace: CallTrace;
  readonly findings: readonly Finding[];
}

export interface StoryOptions {
  readonly title: string;
  readonly hide: (text: string) => string;
}

export function drawStory(
  recording: Recording,
  calls: readonly StoryCall[],
  { title, hide }: StoryOptions,
): string {
  const shown = recording.exchanges.filter(({ kind }) => kind !== 'preflight');
  return hide(
    markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<title>MCP story: ${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${PATTERNS}
<main>
<h1>${title}</h1>
<p class="facts">${recording.pages.length} page loads · ${shown.length} requests · ${calls.length} tool calls</p>
${recording.notes.map((note) => markup`<p class="warn">▲ ${note}</p>`)}
${calls.map((call) => drawCall(recording, call))}
<section class="card"><header><h2>Exchanges</h2></header><ul class="evidence">${shown.map(drawExchange)}</ul></section>
</main>
</body>
</html>
`.text,
  );
}

function drawCall(recording: Recording, { trace, findings }: StoryCall): Markup {
  const state = trace.response?.deliveredAt === undefined ? 'no response received' : 'response received';
  return markup`<article class="card">
<header><h2>${trace.tool} ${clip(JSON.stringify(trace.args))}</h2><span class="level">${state}</span></header>
<p class="facts">${describeCall(trace)}</p>
<div class="scroll lanes">${drawWaterfallSvg(drawTrace(recording, trace), trace.tool)}</div>
${findings.map(drawFinding)}
${findings.length === 0 ? markup`<p class="good">✓ No rule broken</p>` : undefined}
</article>
`;
}

function drawFinding(finding: Finding): Markup {
  const { rule, level, expected, received, exchange } = finding;
  return markup`<h3 class="bad">✕ ${rule} <span class="level">${level}</span></h3>
<p>Expected: ${expected}<br>Received: ${received}</p>
${exchange && markup`<pre>${describeWireExchange(exchange)}</pre>`}
<pre>${describeFix(finding)}</pre>
`;
}

function drawExchange(exchange: WireExchange): Markup {
  const { at, kind, page, status, events, onLeave } = exchange;
  const facts = [
    nameOfLoad(page),
    status === 0 ? 'no response' : `HTTP ${status}`,
    `${events.length} events`,
    ...(onLeave ? ['while its page closed'] : []),
  ];
  const lines = events
    .slice(0, 200)
    .map(({ at: sentAt, eventId, message, deliveredAt }) =>
      [
        duration(sentAt),
        ...(eventId === undefined ? [] : [`id ${eventId}`]),
        ...(deliveredAt === undefined ? ['not received'] : []),
        message ? clip(JSON.stringify(message)) : '(no message)',
      ].join('  '),
    );
  return markup`<li><code>${duration(at)} ${kind}</code><span>${facts.join(' · ')}</span><details><summary>HTTP exchange</summary><pre>${[describeWireExchange(exchange), ...lines].join('\n')}</pre></details></li>`;
}
