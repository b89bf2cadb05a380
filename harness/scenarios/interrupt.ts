/** What the scenarios around an interrupted call have in common. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import type { Context, Control, Finding } from '../context.ts';
import { judge, type Again, type Judged } from '../judge/judgeCall.ts';
import { sumOfCalls } from '../judge/sumOfCalls.ts';
import { counts, type Aim } from '../judge/tries.ts';
import { endedBeforeReturn, observe, stalledAway, type Observed } from '../judge/observe.ts';
import { middle, momentAt } from '../moment.ts';
import { startBlipProxy, type BlipProxy } from '../page/blipProxy.ts';
import type { Inspector } from '../page/inspector.ts';
import { Absence } from './absence.ts';
import { revive } from './revive.ts';

export interface Interrupted {
  readonly inspector: Inspector;
  readonly context: BrowserContext;
  readonly id: string;
  readonly control: Control;
  /** 1, or less in order to come earlier. */
  readonly pace?: number;
}

/** With what it takes to be away. */
export interface Leaving extends Interrupted {
  /** When the tool was called. */
  readonly startedAt: number;
  readonly absence: Absence;
  /** Between the page and the server; none where the browser is elsewhere. */
  readonly proxy: BlipProxy | undefined;
}

type Happen = (leaving: Leaving) => Promise<Inspector | undefined>;

/** How early a try interrupts, and how long it stays away. */
export interface Attempt {
  readonly pace: number;
  readonly patience: number;
}

/** Each further try interrupts earlier, and stays away for longer. */
const TRIES: readonly Attempt[] = [
  { pace: 1, patience: 1 },
  { pace: 0.5, patience: 2 },
  { pace: 0.1, patience: 4 },
];

/** What one try has seen of the calls that it interrupted. */
export interface Seen {
  readonly calls: readonly Observed[];
  readonly absence: Absence;
  readonly sessionId: string | undefined;
}

/** Judges interrupted calls against the control, and tries again where that proves nothing yet. */
export async function judgeTries(
  context: Context,
  once: (attempt: Attempt) => Promise<Seen>,
  aim: Aim = 'back-mid-call',
): Promise<Finding> {
  const { control } = required(context);
  let found: Finding | undefined;
  const before: Again[] = [];
  for (const attempt of TRIES) {
    const { calls, absence, sessionId } = await once(attempt);
    if (calls.some(endedBeforeReturn)) continue;
    const judged = await judgeSteadily(context, control, (against) =>
      calls.map((observed) =>
        judge(absence.wasSilent ? stalledAway(observed) : observed, against, absence.missed),
      ),
    );
    const { finding, again, at } = sumOfCalls(judged);
    const isUntested = (again === 'ended-away' || again === 'away-too-long') && aim === 'back-mid-call';
    const shown = isUntested ? withRemark(finding, ENDED_AWAY) : finding;
    if (again === undefined || counts(again, aim, before)) {
      const lastEventId = calls[at]?.lastEventId;
      return revive(context, shown, { sessionId, lastEventId });
    }
    before.push(again);
    if (again === 'ended-away') found = shown;
    // A replay that was seen is more than nothing.
    else if (again === 'was-slow' || found?.verdict !== 'pass') found = finding;
  }
  return found ?? TOO_FAST;
}

/**
 * A message that is missing may be one that the server does not send each time, with nobody leaving. Where the control
 * call shows that, it can't say what is lost.
 */
export async function judgeSteadily(
  { isSteady }: Pick<Context, 'isSteady'>,
  control: Control,
  judgeAll: (control: Control) => readonly Judged[],
): Promise<readonly Judged[]> {
  const judged = judgeAll(control);
  const isDoubtful = judged.some(
    ({ finding, isSeenLost }) =>
      finding.resultDelivered === true && (finding.lost ?? 0) > 0 && isSeenLost !== true,
  );
  if (!isDoubtful || !control.repeatable || (await isSteady())) return judged;
  return judgeAll({ ...control, repeatable: false });
}

const ENDED_AWAY =
  "The call finished before the reload was complete, so new events on a resumed stream aren't tested. Specify a longer call to test them.";

const withRemark = (finding: Finding, remark: string): Finding => ({
  ...finding,
  remarks: [...(finding.remarks ?? []), remark],
});

/** Starts the tool in a page of its own, lets something happen to it, and judges the call against the control. */
export function interrupt(
  context: Context,
  happen: Happen,
  { before, aim }: { readonly before?: (proxy: BlipProxy | undefined) => void; readonly aim?: Aim } = {},
): Promise<Finding> {
  const { control, tool } = required(context);
  const once = ({ pace, patience }: Attempt): Promise<Seen> =>
    throughProxy(context, async (proxy) => {
      const opened = await context.open(proxy?.url);
      const absence = newAbsence(context, proxy, patience);
      try {
        before?.(proxy);
        const startedAt = Date.now();
        const id = await opened.inspector.call(tool.name, tool.args);
        const sessionId = opened.sessionId();
        const other = await happen({ ...opened, id, control, pace, absence, proxy, startedAt });
        const observed = await observeToTheEnd(other ?? opened.inspector, id, context, control);
        return { calls: [observed], absence, sessionId };
      } finally {
        await context.close(opened.context);
      }
    });
  return judgeTries(context, once, aim);
}

export function newAbsence(context: Context, proxy: BlipProxy | undefined, patience = 1): Absence {
  const isReadable = new URL(context.url).protocol === 'http:';
  return new Absence(isReadable ? proxy : undefined, required(context).control, patience);
}

export async function throughProxy<T>(
  { site, browser }: Context,
  work: (proxy: BlipProxy | undefined) => Promise<T>,
): Promise<T> {
  if (browser.isRemote) return work(undefined);
  const proxy = await startBlipProxy(site);
  try {
    return await work(proxy);
  } finally {
    await proxy.close();
  }
}

export const TOO_FAST: Finding = {
  verdict: 'skipped',
  why: 'The call finished before it could be interrupted. Specify a longer one with --tool and --args.',
};

/** The page was too slow for the call, which a busy machine can cause too. */
export function wasTooSlow({ verdict, why, remarks = [] }: Finding): boolean {
  return (verdict === 'pass' && remarks.includes(ENDED_AWAY)) || why === TOO_FAST.why;
}

export function required({ control, tool }: Context): {
  control: Control;
  tool: NonNullable<Context['tool']>;
} {
  if (!control || !tool) throw new Error('This scenario needs a tool and a control call.');
  return { control, tool };
}

/** Waits for the moment to interrupt, about the middle of the call. */
export async function untilMiddle(
  { inspector, id, control, pace = 1 }: Interrupted,
  context: Context,
  fraction = middle(context.random),
): Promise<void> {
  const moment = momentAt(control, fraction * pace);
  const positioned = control.observed.givesEventIds
    ? untilPositioned({ inspector, id, control, pace })
    : undefined;
  const reached =
    moment.name === 'received' ? inspector.untilReceived(id, moment.messages) : pause(moment.ms);
  await Promise.all([reached, positioned]);
}

/** Waits for the first event ID of a call. One that comes too late to be waited for is not: then it is missing. */
export async function untilPositioned({
  inspector,
  id,
  control,
  pace = 1,
}: Pick<Interrupted, 'inspector' | 'id' | 'control' | 'pace'>): Promise<void> {
  const { observed, durationMs } = control;
  const isLate = (observed.blindWindowMs ?? durationMs) > durationMs / 2;
  await inspector.untilPositioned(id, isLate ? durationMs * pace * 0.6 : undefined);
}

export async function observeToTheEnd(
  inspector: Inspector,
  id: string,
  context: Context,
  control: Control,
): Promise<Observed> {
  const first = await inspector.untilEnded(id, patienceMs(context, control));
  await inspector.untilConnected(5000);
  // A result may come after the page has given the call up, on a stream that isn't its own.
  const isGivenUp = first.name === 'lost' || first.name === 'unknown';
  const ended = isGivenUp ? await inspector.untilSettled(id, control.durationMs + LATE_MS) : first;
  // What comes on another stream than the result may come after it.
  if (ended.name === 'settled') await inspector.untilComplete(id, control.observed.messages.length, 1000);
  return observe(await inspector.entries(), await inspector.callNamed(id));
}

const LATE_MS = 500;

/** A page asks again after some seconds of silence, so the end may come late without being lost. */
function patienceMs({ timeoutMs }: Pick<Context, 'timeoutMs'>, control: Control): number {
  return Math.min(timeoutMs, control.durationMs * 2 + 20_000);
}
