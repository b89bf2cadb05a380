import { describe, expect, it } from 'vitest';
import type { Finding } from '../wire/judge.ts';
import { bestOf, casesOf, PAGE_TARGETS, type Letter } from './cases.ts';
import type { PageReport, PageResult } from './facts.ts';
import { drawPageHtml } from './html.ts';
import { drawPageJunit } from './junit.ts';
import { gradeOfPage, letterOf, letterOfPage, whyFailed, type Seen } from './letter.ts';
import { parseVerifyPage } from './options.ts';
import { exitCodeOfPage } from './runVerifyPage.ts';
import { describePage, resultLine } from './text.ts';

const SEEN: Seen = { isDelivered: false, hasRunAgain: false, hasNewSession: false, broken: undefined };

describe('the letter of a page that', () => {
  it.each<[string, Partial<Seen>, Letter]>([
    ['has the response', { isDelivered: true }, 'R'],
    ['has the response in a new session', { isDelivered: true, hasNewSession: true }, 'R'],
    ['starts a new session', { hasNewSession: true }, 'N'],
    ['keeps the session and gets nothing', {}, 'L'],
    ['has an uncaught error', { broken: 'TypeError', hasNewSession: true }, 'F'],
    ['calls again, and has both responses', { hasRunAgain: true, isDelivered: true }, 'X'],
  ])('%s', (_what, seen, letter) => {
    expect(letterOf({ ...SEEN, ...seen })).toBe(letter);
  });
});

const finding = (rule: Finding['rule'], level: Finding['level'] = 'must'): Finding => ({
  rule,
  level,
  expected: 'a',
  received: 'b',
  fix: 'c',
});
const DONE = { shows: 'done', hasLost: true } as const;

describe('a scenario', () => {
  it.each<[string, Parameters<typeof whyFailed>, string | undefined]>([
    ['passes with the best letter and no finding', ['R', ['R'], [], DONE], undefined],
    ['fails with a finding', ['R', ['R'], [finding('last-event')], DONE], 'last-event: b'],
    ['passes with advice', ['R', ['R'], [finding('runs-once', 'advice')], DONE], undefined],
    [
      'fails if done() does not resolve',
      ['R', ['R'], [], { shows: 'nothing', hasLost: true }],
      "The page received the response, but done() didn't resolve.",
    ],
    [
      'blames no page for a server without replay',
      ['L', ['L'], [finding('response-delivered')], { shows: 'lost', hasLost: true }],
      undefined,
    ],
    [
      'wants the user to hear of the loss',
      ['L', ['L'], [], { shows: 'nothing', hasLost: true }],
      "The call is lost, and the page doesn't show that: lost() didn't resolve.",
    ],
    [
      'asks for no lost() where there is none',
      ['L', ['L'], [], { shows: 'nothing', hasLost: false }],
      undefined,
    ],
    [
      'fails with another letter',
      ['N', ['R'], [finding('one-session')], DONE],
      'The page starts a new session and drops the call. one-session: b.',
    ],
  ])('%s', (_what, given, why) => {
    expect(whyFailed(...given)).toBe(why);
  });
});

const result = (
  letter: Letter,
  best: readonly Letter[] = ['R'],
  more: Partial<PageResult> = {},
): PageResult => ({
  target: 'resumable',
  name: 'reload-mid-call',
  verdict: best.includes(letter) ? 'pass' : 'fail',
  letter,
  best,
  why: 'why <b>',
  findings: [],
  durationMs: 1,
  ...more,
});

describe('the grade', () => {
  it.each<[string, readonly PageResult[], string, Letter | undefined]>([
    ['reload-safe if everything passes', [result('R'), result('L', ['L'])], 'reload-safe', 'R'],
    [
      'issues if a scenario fails all the same',
      [result('R', ['R'], { verdict: 'fail' })],
      'resumes, with issues',
      'R',
    ],
    ['loses calls if R was possible', [result('R'), result('N')], 'loses calls', 'N'],
    ['breaks', [result('R'), result('F')], 'breaks', 'F'],
    ['runs calls twice, wherever it happens', [result('R'), result('X', ['L'])], 'runs calls twice', 'X'],
    ['not tested without a call', [], 'not tested', undefined],
  ])('%s', (_what, results, grade, letter) => {
    expect([gradeOfPage(results), letterOfPage(results)]).toEqual([grade, letter]);
  });
});

const report = (results: readonly PageResult[], more: Partial<PageReport> = {}): PageReport => ({
  schemaVersion: 1,
  kind: 'page',
  page: 'http://localhost:5173',
  browser: 'Chromium 156',
  tool: 'report',
  letter: letterOfPage(results) ?? null,
  grade: gradeOfPage(results),
  results,
  startedAt: '2026-11-17T00:00:00.000Z',
  durationMs: 10,
  seed: 1,
  reprise: '0.1.0',
  ...more,
});

describe('the exit code', () => {
  it.each<[string, PageReport, object, number]>([
    ['0 if nothing failed', report([result('R')]), {}, 0],
    ['1 if something failed', report([result('N')]), {}, 1],
    [
      '0 if the failure was expected',
      report([result('N')], { expectedFailures: ['resumable/reload-mid-call'] }),
      {},
      0,
    ],
    [
      '1 if an expected failure passes',
      report([result('R')], { expectedFailures: ['resumable/reload-mid-call'] }),
      {},
      1,
    ],
    ['4 if nothing could be tested', report([]), {}, 4],
    ['130 if it was stopped', report([result('R')], { incomplete: 'Stopped.' }), {}, 130],
    [
      '1 below the required grade',
      report([result('N')], { expectedFailures: ['resumable/reload-mid-call'] }),
      { require: 'reload-safe' },
      1,
    ],
  ])('%s', (_what, given, command, code) => {
    expect(exitCodeOfPage(given, command)).toBe(code);
  });
});

describe('the reports', () => {
  const broken = result('R', ['R'], {
    verdict: 'fail',
    findings: [
      {
        rule: 'last-event',
        level: 'should',
        clause: 'here',
        expected: 'a',
        received: 'b',
        fix: 'Store it.',
        exchange: 'GET /mcp',
      },
    ],
  });

  it('have one line for each scenario, and the grade at the end', () => {
    expect(resultLine(broken)).toBe('  FAIL  resumable     reload-mid-call             R  why <b>');
    expect(describePage(report([broken]))).toContain(
      'RESUMES, WITH ISSUES (R: gets the response in the new page). 0 passed, 1 failed.',
    );
    expect(describePage(report([broken]))).toContain('✗ last-event   [SHOULD, here]');
  });

  it('escape what pages say', () => {
    expect(drawPageHtml(report([broken]))).toContain('why &lt;b&gt;');
    expect(drawPageJunit(report([broken]))).toContain('<failure message="R: why &lt;b&gt;" type="should">');
  });
});

describe('the command line', () => {
  it('reads what the docs name', () => {
    const command = parseVerifyPage([
      'http://localhost:5173',
      '--script',
      'play.mjs',
      '--target',
      'polling,json',
      '--json',
      'out.json',
      '--timeout',
      '5',
    ]);
    expect(command).toMatchObject({
      pageUrl: 'http://localhost:5173',
      script: 'play.mjs',
      targets: ['polling', 'json'],
      timeoutMs: 5000,
      output: { json: 'out.json' },
    });
  });

  it.each([
    [[], 'Missing page URL'],
    [['http://a.test'], 'Missing --script'],
    [['http://a.test', '--script', 'x', '--target', 'pollin'], 'Did you mean polling?'],
    [['http://a.test', '--script', 'x', '--scenarios', 'y'], 'Did you mean --scenario?'],
    [['http://a.test', '--script', 'x', '--browser', 'opera'], 'chromium, firefox or webkit'],
    [['http://a.test', '--script', 'x', '--seed', 'y'], '--seed must be a whole number'],
  ])('%j: %s', (args, words) => {
    expect(() => parseVerifyPage(args)).toThrow(words);
  });
});

it('every scenario runs on resumable, and no page must bring more than its server can', () => {
  expect(casesOf({ targets: ['resumable'] })).toHaveLength(7);
  expect(casesOf({})).toHaveLength(34);
  for (const given of casesOf({})) expect(bestOf(given).length).toBeGreaterThan(0);
  expect(PAGE_TARGETS.filter(({ best }) => best.includes('R')).map(({ name }) => name)).toEqual([
    'resumable',
    'slow-409',
    'over-replay',
    'polling',
    'dual',
    'tasks-2025',
    'modern-tasks',
  ]);
});
