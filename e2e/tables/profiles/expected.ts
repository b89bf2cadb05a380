/** What each target profile must be found to be: the one table behind the tests and `npm run verify:profiles`. */
import type { CorsMode } from '../../../targets/core/access.ts';
import type { TargetOptions } from '../../../targets/core/options.ts';
import { pingWithin } from '../../../targets/profiles/pings.ts';
import { holdFromNextGet } from '../../../targets/profiles/slow409.ts';
import type { ExitCode } from '../../../harness/exitCode.ts';
import type { Revision } from '../../../harness/probe/reach.ts';
import type { Outcome, ScenarioResult } from '../../../harness/report/facts.ts';

export interface Expected {
  readonly profile: string;
  /** Where the profile alone isn't what is judged. */
  readonly name?: string;
  /** Laid over the profile's own options. */
  readonly overrides?: (page: { readonly origin: string }) => Partial<TargetOptions>;
  readonly cors?: CorsMode;
  /** A server that is no target at all, instead of the profile. */
  readonly start?: () => Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Not compared if left out. */
  readonly outcome?: Outcome | null;
  /** Every scenario that fails, of all. */
  readonly fails: readonly string[];
  /** Scenarios that must pass, not merely not fail. */
  readonly passes?: readonly string[];
  /** A part of a remark that must be made. */
  readonly remark?: string;
  /** The scenarios that tell this profile's story, for a run that has little time. */
  readonly story: readonly string[];
  /** `countdown` if left out; `null`: none is named. */
  readonly tool?: string | null;
  /** `null`: none are given. */
  readonly args?: object | null;
  /** What a scenario must say: a part of its sentence, and how much it lost. */
  readonly says?: Readonly<Record<string, { readonly why?: string; readonly lost?: number }>>;
  readonly revision?: Revision;
  readonly exitCode?: ExitCode;
  /** The verdict of a browser that enforces CORS, where no page gets in. */
  readonly blocked?: true;
}

/** Every scenario in which a page comes back to a call. */
const RETURNS = [
  'reload-mid-call',
  'reload-twice',
  'reload-before-first-event',
  'finish-while-away',
  'concurrent-calls',
  'network-blip',
  'tab-crash',
  'browser-restart',
  'second-tab',
];
const LONG = { ticks: 30, intervalMs: 150 };
/** A slow browser is back before its end: what ends while the page is away cannot stall. */
const LONGEST = { ticks: 60, intervalMs: 250 };

/** The tool with a view takes longer than a busy machine needs to show that view, so that it can be interrupted. */
const APP = { tool: 'dashboard', args: { title: 'Sales', waitMs: 6000 } } as const;

export const EXPECTED: readonly Expected[] = [
  {
    profile: 'resumable',
    outcome: 'A',
    fails: [],
    passes: ['repeated-request'],
    remark: 'because the server sends an event ID before the first message',
    story: ['reload-mid-call', 'finish-while-away', 'repeated-request', 'unknown-cursor'],
  },
  {
    profile: 'no-replay',
    outcome: 'D',
    fails: ['reload-mid-call', 'pending-question'],
    remark: 'Blind window: the whole call',
    story: ['reload-mid-call', 'pending-question', 'tab-crash'],
    says: { 'reload-mid-call': { why: "doesn't send event IDs" } },
  },
  {
    profile: 'no-priming',
    outcome: 'D',
    fails: ['reload-before-first-event'],
    remark: 'because the first event ID arrives with the first message',
    story: ['reload-mid-call', 'reload-before-first-event'],
    says: { 'reload-before-first-event': { why: 'The first event ID arrives with the first message' } },
  },
  {
    profile: 'stateless',
    outcome: 'S',
    fails: [],
    story: ['cors', 'reload-mid-call', 'ended-session'],
    says: { cors: { why: 'send all headers.' } },
  },
  {
    profile: 'json',
    outcome: 'D',
    fails: ['reload-mid-call', 'pending-question'],
    remark: 'because the server responds with JSON',
    story: ['reload-mid-call'],
    says: { 'reload-mid-call': { why: "doesn't send event IDs" } },
  },
  { profile: 'recreate', outcome: 'A', fails: [], story: ['reload-mid-call'] },
  {
    profile: 'fresh-404',
    outcome: 'A',
    fails: ['ended-session'],
    story: ['reload-mid-call', 'ended-session'],
    says: { 'ended-session': { why: 'contains a new session ID' } },
  },
  {
    profile: 'bad-400',
    outcome: 'A',
    fails: ['ended-session'],
    story: ['reload-mid-call', 'ended-session'],
    says: { 'ended-session': { why: 'returns HTTP 400 instead of 404' } },
  },
  {
    profile: 'over-replay',
    outcome: 'A',
    fails: [...RETURNS, 'stream-isolation'],
    story: ['reload-mid-call', 'stream-isolation'],
    says: {
      'reload-mid-call': { why: 'a resumed stream contained events of another stream' },
      'stream-isolation': { why: 'of another call' },
    },
  },
  {
    profile: 'underscore',
    outcome: 'A',
    fails: ['unknown-cursor'],
    story: ['reload-mid-call', 'unknown-cursor'],
    says: { 'unknown-cursor': { why: 'returns HTTP 200 and no events' } },
  },
  { profile: 'polling', outcome: 'A', fails: [], story: ['reload-mid-call'] },
  {
    profile: 'slow-409',
    overrides: holdFromNextGet,
    outcome: 'A',
    fails: RETURNS.filter((name) => name !== 'network-blip'),
    story: ['reload-mid-call'],
    says: { 'reload-mid-call': { why: 'The server kept the old stream open: HTTP 409' } },
    // Long enough for a second reload to wait for more than the first one has seen.
    args: LONGEST,
  },
  {
    profile: 'stalls',
    outcome: 'A',
    fails: [...RETURNS.filter((name) => name !== 'finish-while-away'), 'standalone-stream'],
    story: ['reload-mid-call', 'standalone-stream'],
    says: { 'reload-mid-call': { why: 'stalled after the replay' } },
    args: LONGEST,
  },
  {
    profile: 'stays-open',
    outcome: 'A',
    fails: [],
    remark: 'stays open after the response',
    story: ['reload-mid-call', 'stream-isolation'],
  },
  {
    profile: 'get-once',
    outcome: 'E',
    fails: [...RETURNS, 'pending-question', 'standalone-stream'],
    story: ['reload-mid-call', 'standalone-stream'],
    says: { 'reload-mid-call': { why: 'rejected a resume (HTTP 400)' } },
  },
  {
    profile: 'pings',
    // A page that stays away for longer than the server waits loses the session, and rightly so.
    overrides: () => pingWithin(30_000),
    outcome: 'A',
    fails: [],
    story: ['reload-mid-call'],
    args: LONG,
  },
  {
    profile: 'progress-on-get',
    outcome: 'A',
    fails: [],
    remark: "arrived on the standalone stream instead of the call's stream",
    story: ['reload-mid-call'],
  },
  {
    profile: 'leaky',
    outcome: 'A',
    fails: ['session-isolation'],
    story: ['reload-mid-call', 'session-isolation'],
    says: { 'session-isolation': { why: 'An event ID from another session exposed' } },
  },
  { profile: 'no-cors', outcome: 'A', fails: ['cors'], story: ['cors', 'reload-mid-call'], blocked: true },
  {
    profile: 'hidden-session',
    outcome: 'A',
    fails: ['cors'],
    story: ['cors', 'reload-mid-call'],
    says: { cors: { why: "can't read its session ID" } },
    blocked: true,
  },
  { profile: 'oauth', outcome: 'A', fails: [], story: ['reload-mid-call'] },
  {
    profile: 'modern',
    outcome: 'S',
    fails: [],
    passes: ['cors', 'control', 'reload-with-question', 'reload-cancels'],
    story: ['cors', 'reload-with-question', 'reload-cancels'],
  },
  {
    profile: 'modern-tasks',
    outcome: 'T',
    fails: [],
    passes: ['control', 'reload-with-task', 'reload-with-question'],
    story: ['reload-with-task', 'reload-with-question'],
  },
  // The way on which a reload loses less: sessions with event IDs, though it speaks 2026-07-28 too.
  {
    profile: 'dual',
    outcome: 'A',
    fails: [],
    passes: ['reload-mid-call'],
    story: ['reload-mid-call', 'finish-while-away'],
  },
  {
    profile: 'tasks-2025',
    outcome: 'T',
    fails: [],
    passes: ['reload-with-task'],
    story: ['reload-with-task'],
  },
  {
    profile: 'both-eras',
    outcome: 'A',
    fails: [],
    passes: ['reload-mid-call'],
    story: ['reload-mid-call'],
  },
  {
    profile: 'runs-twice',
    outcome: 'A',
    fails: ['repeated-request'],
    story: ['repeated-request', 'reload-mid-call'],
    says: { 'repeated-request': { why: 'ran twice for one request ID' } },
  },
  {
    profile: 'deaf-get',
    outcome: 'A',
    fails: ['standalone-stream'],
    story: ['reload-mid-call', 'standalone-stream'],
  },
  {
    profile: 'cors-no-cursor',
    outcome: 'A',
    fails: ['cors'],
    story: ['cors', 'reload-mid-call'],
    says: { cors: { why: 'Headers not allowed: last-event-id.' } },
    blocked: true,
  },
  {
    profile: 'get-404',
    outcome: 'D',
    fails: ['reload-mid-call', 'pending-question'],
    story: ['reload-mid-call'],
    says: { 'reload-mid-call': { why: "doesn't send event IDs" } },
  },
  {
    profile: 'get-400',
    outcome: 'D',
    fails: ['reload-mid-call', 'pending-question'],
    story: ['reload-mid-call'],
    says: { 'reload-mid-call': { why: "doesn't send event IDs" } },
  },
  // The result comes, on a stream that isn't its own, if the page is back by then; a question that was sent before isn't.
  {
    profile: 'late-result',
    outcome: 'D',
    fails: ['reload-mid-call', 'pending-question'],
    story: ['reload-mid-call', 'pending-question'],
    says: { 'reload-mid-call': { why: 'never arrived' } },
    args: LONGEST,
  },
  {
    profile: 'mixes-streams',
    outcome: 'A',
    fails: [...RETURNS.filter((name) => name !== 'finish-while-away'), 'unknown-cursor', 'stream-isolation'],
    story: ['reload-mid-call', 'stream-isolation'],
    says: {
      'reload-mid-call': { why: 'a resumed stream contained events of another stream' },
      'stream-isolation': { why: 'of another call' },
    },
    args: LONGEST,
  },
  { profile: 'late-head', outcome: 'A', fails: [], story: ['reload-mid-call'] },
  {
    profile: 'buffers',
    outcome: 'D',
    fails: RETURNS,
    remark: 'Send and flush it before the tool runs',
    story: ['reload-mid-call', 'finish-while-away'],
  },
  { profile: 'silent-json', outcome: 'D', fails: ['reload-mid-call'], story: ['reload-mid-call'] },
  {
    ...APP,
    profile: 'app',
    fails: [],
    passes: [
      'app-renders',
      'app-reload',
      'app-reload-mid-call',
      'app-lost-call',
      'app-calls-again',
      'app-csp',
    ],
    story: ['app-reload'],
  },
  { ...APP, profile: 'app-calls-again', fails: ['app-calls-again'], story: ['app-calls-again'] },
  { ...APP, profile: 'app-undeclared', fails: ['app-csp'], story: ['app-csp'] },
  { ...APP, profile: 'app-needs-storage', fails: [], passes: ['app-renders'], story: ['app-renders'] },
  { ...APP, profile: 'app-silent', fails: ['app-renders'], story: ['app-renders'] },
  {
    ...APP,
    profile: 'app-forgetful',
    // Whatever the call does meanwhile, the view is opened again by a reload.
    fails: ['app-reload', 'app-reload-mid-call', 'app-lost-call'],
    story: ['app-reload'],
  },
  { ...APP, profile: 'app-no-view', fails: ['app-renders'], story: ['app-renders'] },
];

/**
 * Profiles without a row: no client can come back to these, a reload finds what it finds at `modern`, or they attack
 * the page instead of the protocol.
 */
export const UNJUDGED: readonly string[] = ['sse', 'forgets', 'skills', 'app-hostile'];

/** What differs between a report and the table, in words; nothing if it is as it should be. */
export function differences(
  expected: Expected,
  found: {
    readonly outcome: Outcome | null;
    readonly exitCode: ExitCode;
    readonly asked: readonly string[];
    readonly ran: readonly string[];
    readonly passes: readonly string[];
    readonly fails: readonly string[];
    readonly remarks: readonly string[];
    readonly scenarios: readonly ScenarioResult[];
  },
): readonly string[] {
  const due = expected.fails.filter((name) => found.ran.includes(name));
  const { remark } = expected;
  return [
    ...(expected.outcome === undefined || found.outcome === expected.outcome
      ? []
      : [`outcome ${found.outcome ?? 'none'} instead of ${expected.outcome ?? 'none'}`]),
    ...(expected.exitCode === undefined || expected.exitCode === found.exitCode
      ? []
      : [`exit code ${found.exitCode} instead of ${expected.exitCode}`]),
    ...due.filter((name) => !found.fails.includes(name)).map((name) => `${name} passes and must not`),
    ...(expected.passes ?? [])
      .filter((name) => found.asked.includes(name) && !found.passes.includes(name))
      .map((name) => `${name} does not pass and must`),
    ...found.fails.filter((name) => !due.includes(name)).map((name) => `${name} fails and must not`),
    ...Object.entries(expected.says ?? {}).flatMap(([name, said]) => {
      const result = found.scenarios.find((one) => one.name === name);
      if (!result) return [];
      const isSaid = said.why === undefined || result.why.includes(said.why);
      const isLost = said.lost === undefined || said.lost === result.lost;
      return isSaid && isLost ? [] : [`${name} says "${result.why}" and has lost ${result.lost ?? 0}`];
    }),
    ...(remark === undefined || found.remarks.some((text) => text.includes(remark))
      ? []
      : [`no remark "${remark}"`]),
  ];
}
