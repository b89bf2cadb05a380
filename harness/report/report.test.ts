import { describe, expect, it } from 'vitest';
import type { Report } from './facts.ts';
import { drawHtml } from './html.ts';
import { drawJunit } from './junit.ts';
import { drawMarkdown } from './markdown.ts';
import { parseReport, reportSchema } from './parseReport.ts';
import { describe as describeReport, summarize } from './text.ts';

const REPORT: Report = {
  schemaVersion: 1,
  target: 'http://127.0.0.1:3000/mcp',
  server: { name: '<script>alert(1)</script>', version: '1"2' },
  protocolVersion: '2025-11-25',
  outcome: 'E',
  grade: 'loses calls',
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 12_000,
  seed: 1,
  reprise: '0.1.0',
  scenarios: [
    { name: 'control', verdict: 'pass', why: 'All came.', control: 3, received: 3, durationMs: 900 },
    {
      name: 'reload-mid-call',
      verdict: 'fail',
      why: 'The server refused <b>to</b> resume\u0001 (400).',
      fix: 'Answer it.',
      level: 'should',
      clause: '2025-11-25',
      lost: 2,
      exchange: {
        method: 'GET',
        url: 'http://127.0.0.1:3000/mcp',
        requestHeaders: { 'last-event-id': 'e1', date: 'today' },
        status: 400,
        responseHeaders: { 'content-type': 'application/json' },
        body: '{"a":"</pre>"}',
      },
      waterfall: {
        durationMs: 1000,
        lanes: [
          {
            name: 'call',
            marks: (['live', 'replayed', 'duplicate', 'lost', 'result'] as const).map((kind, at) => ({
              at: at * 100,
              kind,
              label: `"${kind}"`,
            })),
          },
        ],
        gaps: [{ from: 100, to: 300, label: 'reload' }],
      },
    },
    { name: 'pending-question', verdict: 'unsupported', why: 'No tool asks.' },
  ],
};

describe('the text', () => {
  const text = describeReport(REPORT);

  it('begins with the grade and ends with the sum', () => {
    const [first, ...rest] = text.split('\n');
    expect(first).toBe('LOSES CALLS (outcome E: event IDs sent, but resuming was rejected)');
    expect(rest.at(-1)).toBe('1 failed, 1 passed, 1 not offered · 12 s');
  });

  it('has a paragraph for each problem, with its level, its exchange, its fix and a command', () => {
    expect(text).toContain('✗ The server refused <b>to</b> resume');
    expect(text).toContain('[SHOULD, 2025-11-25]');
    expect(text).toContain('> last-event-id: e1');
    expect(text).not.toContain('today');
    expect(text).toContain('  Fix: Answer it.');
    expect(text).toContain('  Test again: npx mcp-reprise verify');
  });

  it('says how much was run, and why there is no letter', () => {
    const none = { ...REPORT, outcome: null };
    expect(summarize({ ...none, grade: 'not tested (2 of 22 scenarios)' })).toBe(
      'NOT TESTED, 2 of 22 scenarios (no outcome: no interrupted call could be tested)',
    );
    expect(summarize({ ...none, grade: 'loses messages' })).toContain('the result was delivered');
  });

  it('tells what a reload costs, tool by tool', () => {
    const reloadCosts = [
      { tool: 'export', cost: 'cancelled', durationMs: 3000, advice: 'Make it a task.' },
      { tool: 'render', cost: 'kept-as-task' },
    ] as const;
    const costs = describeReport({ ...REPORT, reloadCosts });
    expect(costs).toContain('    export  cancelled by a reload (3.0 s)\n    render  kept as a task');
    expect(costs).toContain('  Advice: Make it a task.');
    expect(drawHtml([{ ...REPORT, reloadCosts }])).toContain('Calls that a reload cancels');
  });
});

describe('the browser of a run', () => {
  const report: Report = { ...REPORT, browser: { name: 'Firefox', version: '153.7.0' } };

  it('is named in every format, and used to test again', () => {
    expect(describeReport(report).split('\n').at(-1)).toBe(
      '1 failed, 1 passed, 1 not offered · 12 s · Firefox 153.7.0',
    );
    expect(describeReport(report)).toContain('--browser firefox');
    expect(drawHtml([report])).toContain('Firefox 153.7.0');
    expect(drawMarkdown([report])).toContain('Firefox 153.7.0');
    expect(drawJunit([report])).toContain('<property name="browser" value="Firefox 153.7.0"/>');
    expect(parseReport(JSON.parse(JSON.stringify(report))).browser).toEqual(report.browser);
  });

  it('needs no option if it is Chromium', () => {
    const usual: Report = { ...REPORT, browser: { name: 'Chromium', version: '156.0' } };
    expect(describeReport(usual)).not.toContain('--browser');
  });
});

describe('the HTML report', () => {
  const html = drawHtml([REPORT]);

  it('treats everything that a server says as text', () => {
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<b>to</b>');
    expect(html).not.toContain('"</pre>"');
    expect(html).toContain('&lt;script&gt;');
  });

  it('loads nothing from anywhere', () => {
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/(src|href)="(?!#)/);
  });

  it('draws each kind of event in its own shape, the gap and the reload', () => {
    for (const name of ['live', 'replayed', 'duplicate', 'lost', 'result', 'gap', 'reload']) {
      expect(html).toContain(`class="${name}"`);
    }
    expect(html).toContain('1 live, 1 replayed, 1 duplicate, 1 lost, 1 result');
  });

  it('begins with an overview where there are several servers', () => {
    expect(drawHtml([REPORT, REPORT])).toContain('<h1>2 servers</h1>');
  });
});

describe('a server behind a bridge', () => {
  const note = "through a bridge: the replay is the bridge's, not the server's";
  const bridged: Report = {
    ...REPORT,
    outcome: 'A',
    grade: 'bridged',
    bridge: { transport: 'stdio', replay: 'bridge', note, ownScenarios: ['control'] },
  };

  it('has the note in every report, and what is its own', () => {
    const text = describeReport(bridged);
    expect(text).toContain('Provided by the server: control pass.');
    expect(text).toContain('Provided by the bridge: reload-mid-call FAIL.');
    expect(text).toContain(`, ${note}`);
    expect(drawHtml([bridged])).toContain('Through a bridge: the replay is the bridge');
    expect(drawJunit([bridged])).toContain('name="bridge"');
    expect(parseReport(bridged)).toEqual(bridged);
  });
});

describe('the JSON Schema of a report', () => {
  it('has its version and every field that a report must have', () => {
    expect(reportSchema()).toMatchObject({
      properties: { schemaVersion: { const: 1 }, scenarios: { type: 'array' } },
      required: expect.arrayContaining(['target', 'outcome', 'grade', 'scenarios']),
    });
  });
});

describe('a report that was tampered with', () => {
  const EVIL = '"><meta http-equiv="refresh" content="0;url=//evil.example"><form action="//evil.example">\'';
  const evil = (value: unknown): unknown => {
    if (typeof value === 'string') return EVIL;
    if (Array.isArray(value)) return value.map(evil);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, evil(member)]));
  };
  // Every text is replaced but those that the parser of reports takes from a fixed list.
  const scenarios = REPORT.scenarios.map((one) => ({
    ...(evil(one) as typeof one),
    verdict: one.verdict,
    ...(one.waterfall && {
      waterfall: {
        ...one.waterfall,
        lanes: one.waterfall.lanes.map(({ marks }) => ({
          name: EVIL,
          marks: marks.map((mark) => ({ ...mark, label: EVIL })),
        })),
      },
    }),
  }));
  const tampered = {
    ...(evil(REPORT) as Report),
    outcome: 'E' as const,
    tool: { name: EVIL, args: { [EVIL]: EVIL }, why: EVIL },
    incomplete: EVIL,
    scenarios,
  };

  it('brings no markup into the HTML', () => {
    const drawn = drawHtml([tampered, tampered]);
    expect(drawn).not.toMatch(
      /<(?!meta charset|meta name="viewport"|meta http-equiv="Content-Security)(meta|form)/,
    );
    expect(drawn).not.toContain('">"');
    expect(drawn).toContain("form-action 'none'; base-uri 'none'");
  });

  it('brings no markup into the JUnit', () => {
    const xml = drawJunit([tampered]);
    expect(xml).not.toMatch(/<(meta|form)/);
    expect(xml).toContain('&lt;meta http-equiv=&quot;refresh&quot;');
  });
});

describe('JUnit', () => {
  it('has neither half a surrogate pair nor a character that XML forbids', () => {
    const odd = { ...REPORT, grade: 'a\uD800b\uFFFEc\u0000d\u{1F600}' };
    expect(drawJunit([odd])).toContain('value="a\uFFFDbcd\u{1F600}"');
  });

  it('has an error for a run that ended before its time, so that no viewer shows it in green', () => {
    const xml = drawJunit([{ ...REPORT, scenarios: [], incomplete: 'No server answers.' }]);
    expect(xml).toContain('<testsuites name="mcp-reprise" tests="1" failures="0" errors="1" skipped="0"');
    expect(xml).toContain('<error message="No server answers." type="incomplete"/>');
  });

  it('counts, escapes, and has no character that XML forbids', () => {
    const xml = drawJunit([REPORT]);
    expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1"');
    expect(xml).toContain('name="&lt;script&gt;alert(1)&lt;/script&gt; 1&quot;2"');
    expect(xml).toContain('message="The server refused &lt;b&gt;to&lt;/b&gt; resume (400)."');
    // eslint-disable-next-line no-control-regex -- the point of the test
    expect(xml).not.toMatch(/[\u0000-\u0008]/);
  });
});
