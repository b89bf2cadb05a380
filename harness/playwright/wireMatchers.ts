/** What can be expected of a call of somebody's page. Each matcher waits for what it needs. */
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import { outcomeOf } from '../wire/callTrace.ts';
import { describeCall, describeFix, describeWireExchange, hiderFor } from '../wire/describe.ts';
import type { Finding } from '../wire/judge.ts';
import { WaitTimeout } from '../wire/recorder.ts';
import { whyNot } from '../wire/rules/streamRules.ts';
import { RecordedCall } from './recordedCall.ts';
import type { SurvivedOptions, WaitOptions, WireCall } from './wireTypes.ts';

/** What no later event can repair, and how long a page has for it all the same. */
const DECISIVE = new Set(['runs-once', 'one-session', 'no-delete', 'no-cancel']);
const DECIDED_MS = 2000;

type Failure = Pick<Finding, 'expected' | 'received' | 'fix' | 'exchange' | 'clause'> & {
  readonly rule?: string;
};

export const wireMatchers = {
  /** The call was interrupted, and the page broke no rule on the way to its response. */
  async toHaveSurvived(
    this: ExpectMatcherState,
    wireCall: WireCall,
    { except = {}, mayFail = false, timeout }: SurvivedOptions = {},
  ): Promise<MatcherReturnType> {
    const call = recorded(wireCall);
    if (call.case.interruptions.length === 0) return report(this, 'toHaveSurvived', call, [NOT_INTERRUPTED]);
    const findings = (): readonly Finding[] => call.judge().filter(({ rule }) => !(rule in except));
    await untilDelivered(
      call,
      timeout,
      () => findings().some(({ rule }) => DECISIVE.has(rule)) || isLost(call),
    );
    const found: Failure[] = [...findings()];
    if (!mayFail && found.length === 0) found.push(...errorsOf(call));
    return report(this, 'toHaveSurvived', call, found);
  },

  /** The server was asked to run the call once. */
  async toHaveRunOnce(
    this: ExpectMatcherState,
    wireCall: WireCall,
    { timeout }: WaitOptions = {},
  ): Promise<MatcherReturnType> {
    const call = recorded(wireCall);
    if (call.case.interruptions.length === 0) return report(this, 'toHaveRunOnce', call, [NOT_INTERRUPTED]);
    await untilDelivered(call, timeout, () => call.runs > 1 || isLost(call));
    return report(
      this,
      'toHaveRunOnce',
      call,
      call.judge().filter(({ rule }) => rule === 'runs-once'),
    );
  },

  /** A page resumed the call's stream with this `Last-Event-ID`. */
  async toHaveResumedFrom(
    this: ExpectMatcherState,
    wireCall: WireCall,
    eventId: string | undefined,
    { timeout = recorded(wireCall).wire.timeoutMs }: WaitOptions = {},
  ): Promise<MatcherReturnType> {
    const call = recorded(wireCall);
    const resumes = () => call.trace.streams.filter(({ kind }) => kind === 'resume');
    const find = () => resumes().find(({ requestHeaders }) => requestHeaders['last-event-id'] === eventId);
    const since = call.case.interruptions.at(-1)?.at ?? 0;
    await call.wire.recorder
      .until(
        () => find() ?? resumes().find(({ at }) => at >= since),
        timeout,
        () => '',
      )
      .catch(ignoreTimeout);
    if (eventId !== undefined && find()) return report(this, 'toHaveResumedFrom', call, []);
    const wrong = call.judge().filter(({ rule }) => rule === 'last-event' || rule === 'resumes-stream');
    const last = resumes().at(-1);
    const expected =
      eventId === undefined
        ? 'an event ID, and the page had received none before it was interrupted'
        : `"${eventId}"`;
    const received = last
      ? `"${last.requestHeaders['last-event-id'] ?? ''}"`
      : 'no GET with an event ID of this call';
    const fix = 'Store the ID of every event when it arrives, on resumed streams too.';
    return report(
      this,
      'toHaveResumedFrom',
      call,
      wrong.length > 0 ? wrong : [{ rule: 'last-event', expected, received, fix, exchange: last }],
    );
  },
};

const NOT_INTERRUPTED: Failure = {
  expected: 'a call that was interrupted before its response arrived',
  received: 'a call that was never interrupted',
  fix: 'Use mcpWire.reload(page) while the call is open. If the response arrives too early, use a longer tool call.',
};

function recorded(call: WireCall): RecordedCall {
  if (call instanceof RecordedCall) return call;
  throw new Error('This matcher needs a call from mcpWire.call().');
}

/** Whether no page can get the response any more, because the server keeps nothing of it. */
const isLost = (call: RecordedCall): boolean => whyNot(call.case).reason !== '';

async function untilDelivered(
  call: RecordedCall,
  timeout = call.wire.timeoutMs,
  isDecided: () => boolean,
): Promise<void> {
  const read = (): true | undefined => (call.state === 'delivered' ? true : undefined);
  const soon = Math.min(DECIDED_MS, timeout);
  const wait = (ms: number): Promise<boolean> =>
    call.wire.recorder.until(read, ms, () => '').then(() => true, ignoreTimeout);
  if (await wait(soon)) return;
  if (!isDecided()) await wait(timeout - soon);
}

function ignoreTimeout(error: unknown): false {
  if (error instanceof WaitTimeout) return false;
  throw error;
}

function errorsOf({ trace }: RecordedCall): Failure[] {
  if (!trace.response) return [];
  const { result, error } = outcomeOf(trace.response.message);
  if (!error && result?.['isError'] !== true) return [];
  const received = error
    ? `JSON-RPC error ${error.code}: ${error.message}`
    : `a tool error: ${JSON.stringify(result?.['content'])}`;
  return [
    { expected: 'a result', received, fix: 'Call the tool with other arguments, or pass { mayFail: true }.' },
  ];
}

function report(
  { isNot, utils }: ExpectMatcherState,
  name: string,
  call: RecordedCall,
  [failure, ...others]: readonly Failure[],
): MatcherReturnType {
  const pass = failure === undefined;
  const hint = utils.matcherHint(name, 'call', name === 'toHaveResumedFrom' ? 'expected' : '', { isNot });
  const hide = hiderFor([], call.wire.recorder.exchanges);
  const lines = !failure
    ? ['', `Call:     ${describeCall(call.trace)}`, 'Received: no rule was broken']
    : [
        '',
        `Call:     ${describeCall(call.trace)}`,
        ...(failure.rule === undefined ? [] : [`Rule:     ${failure.rule}`]),
        `Expected: ${failure.expected}`,
        `Received: ${failure.received}`,
        ...(failure.exchange ? [describeWireExchange(failure.exchange).replace(/^/gm, '  ')] : []),
        '',
        describeFix(failure),
        ...(others.length > 0 ? [`Also broken: ${others.map(({ rule = '' }) => rule).join(', ')}`] : []),
      ];
  return { name, pass, message: () => hide([`${hint} failed`, ...lines].join('\n')) };
}
