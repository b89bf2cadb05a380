/** What the scenarios around an interrupted call have in common. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import type { Context, Control, Finding } from '../context.ts';
import { judgeCall } from '../judge/judgeCall.ts';
import { endedBeforeReturn, observe, type Observed } from '../judge/observe.ts';
import { middle, momentAt } from '../moment.ts';
import type { Inspector } from '../page/inspector.ts';

export interface Interrupted {
  readonly inspector: Inspector;
  readonly context: BrowserContext;
  readonly id: string;
  readonly control: Control;
  /** 1, or less in order to come earlier. */
  readonly pace?: number;
}

/** How much earlier each further try interrupts, when the call was over before the page was gone. */
const EARLIER = [1, 0.5, 0.1];

/** Starts the tool in a page of its own, lets something happen to it, and judges the call against the control. */
export async function interrupt(
  context: Context,
  happen: (interrupted: Interrupted) => Promise<Inspector | undefined>,
  { midCall = true }: { midCall?: boolean } = {},
): Promise<Finding> {
  const { control } = required(context);
  for (const pace of EARLIER) {
    const observed = await interruptOnce(context, pace, happen);
    if (!midCall || !endedBeforeReturn(observed)) return judgeCall(observed, control);
  }
  return TOO_FAST;
}

async function interruptOnce(
  context: Context,
  pace: number,
  happen: (interrupted: Interrupted) => Promise<Inspector | undefined>,
): Promise<Observed> {
  const { control, tool } = required(context);
  const opened = await context.open();
  try {
    const id = await opened.inspector.call(tool.name, tool.args);
    const other = await happen({ ...opened, id, control, pace });
    return await observeToTheEnd(other ?? opened.inspector, id, context, control);
  } finally {
    await opened.context.close();
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
  await pause(moment.ms);
}

export async function observeToTheEnd(
  inspector: Inspector,
  id: string,
  context: Context,
  control: Control,
): Promise<Observed> {
  const ended = await inspector.untilEnded(id, patienceMs(context, control));
  await inspector.untilConnected(5000);
  // What comes on another stream than the result may come after it.
  if (ended.name === 'settled') await inspector.untilComplete(id, control.observed.messages.length, 1000);
  return observe(await inspector.entries(), await inspector.callNamed(id));
}

/** A page asks again after some seconds of silence, so the end may come late without being lost. */
function patienceMs({ timeoutMs }: Pick<Context, 'timeoutMs'>, control: Control): number {
  return Math.min(timeoutMs, control.durationMs * 2 + 20_000);
}
