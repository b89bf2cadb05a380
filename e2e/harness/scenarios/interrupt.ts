/** What the scenarios around an interrupted call have in common. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import type { Context, Control, Finding } from '../context.ts';
import { judge } from '../judge/judgeCall.ts';
import { sumOfCalls } from '../judge/sumOfCalls.ts';
import { endedBeforeReturn, observe, type Observed } from '../judge/observe.ts';
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
): Promise<Finding> {
  const { control } = required(context);
  let found: Finding | undefined;
  for (const attempt of TRIES) {
    const { calls, absence, sessionId } = await once(attempt);
    if (calls.some(endedBeforeReturn)) continue;
    const judged = calls.map((observed) => judge(observed, control, absence.missed));
    const { finding, again, at } = sumOfCalls(judged);
    if (again === undefined) {
      const lastEventId = calls[at]?.lastEventId;
      return revive(context, finding, { sessionId, lastEventId });
    }
    // What took too long must take too long twice, as the machine may have been busy.
    if (again === 'was-slow' && found?.verdict === 'fail') return finding;
    found = finding;
  }
  return found ?? TOO_FAST;
}

/** Starts the tool in a page of its own, lets something happen to it, and judges the call against the control. */
export function interrupt(
  context: Context,
  happen: Happen,
  before: (proxy: BlipProxy | undefined) => void = () => undefined,
): Promise<Finding> {
  const { control, tool } = required(context);
  return judgeTries(context, ({ pace, patience }) =>
    throughProxy(context, async (proxy) => {
      const opened = await context.open(proxy?.url);
      const absence = newAbsence(context, proxy, patience);
      try {
        before(proxy);
        const startedAt = Date.now();
        const id = await opened.inspector.call(tool.name, tool.args);
        const sessionId = opened.sessionId();
        const other = await happen({ ...opened, id, control, pace, absence, proxy, startedAt });
        const observed = await observeToTheEnd(other ?? opened.inspector, id, context, control);
        return { calls: [observed], absence, sessionId };
      } finally {
        await context.close(opened.context);
      }
    }),
  );
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

const TOO_FAST: Finding = {
  verdict: 'skipped',
  why: 'The call was over before it could be interrupted: name a longer one with --tool and --args.',
};

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
  if (moment.name === 'received') return inspector.untilReceived(id, moment.messages);
  const positioned = control.observed.givesEventIds
    ? untilPositioned({ inspector, id, control, pace })
    : undefined;
  await Promise.all([pause(moment.ms), positioned]);
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
