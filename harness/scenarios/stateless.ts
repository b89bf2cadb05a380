/** What survives a reload where nothing is replayed: a task, a question with its state; and what does not. */
import type { Context, Finding, Scenario } from '../context.ts';
import type { Returned } from '../report/facts.ts';
import { exchangeOf } from '../judge/observe.ts';
import { interrupt, required, TOO_FAST, untilMiddle } from './interrupt.ts';
import { askAcrossReload } from './pendingQuestion.ts';

export const reloadWithTask: Scenario = {
  name: 'reload-with-task',
  summary: 'reloads while a call runs as a task, then polls the task',
  needs: ['page', 'tool', 'tasks', 'time'],
  interrupts: true,
  async run(context) {
    const finding = await interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context);
      await interrupted.inspector.reload(interrupted.absence.begin());
      return undefined;
    });
    return judgeTask(finding, required(context).tool.name);
  },
};

function judgeTask(finding: Finding, tool: string): Finding {
  const { returned } = finding;
  if (!returned) return finding;
  if (!returned.followedAsTask) {
    const why = `"${tool}" didn't run as a task, although the server supports tasks. Specify another with --tool.`;
    return { ...finding, verdict: 'unsupported', why };
  }
  if (returned.resultDelivered) {
    const why = 'The new page polled the task until it completed.';
    return finding.verdict === 'pass' ? { ...finding, why } : finding;
  }
  return {
    ...finding,
    verdict: 'fail',
    why: `The task was polled after the reload, but its result never arrived. ${finding.why}`,
    cause: 'task-lost',
    fix: 'Keep the task and its result for its full TTL.',
  };
}

export const reloadWithQuestion: Scenario = {
  name: 'reload-with-question',
  summary: 'reloads between input_required and the answer, which returns the requestState',
  needs: ['page', 'stateless'],
  run: (context) =>
    askAcrossReload(context, {
      cause: 'request-state-rejected',
      lost: 'Respond with input_required and a requestState that contains everything needed to continue.',
      refused: 'Accept the requestState from any page load, for as long as a user may need to answer.',
    }),
};

const CANCELLED: Returned = {
  givesEventIds: false,
  wasBlind: false,
  restarted: false,
  refused: false,
  resultDelivered: false,
  followedAsTask: false,
  missed: 0,
  recovered: 0,
};

/** A page that is gone has cancelled: the server must be well afterwards, and the next call must work. */
export const reloadCancels: Scenario = {
  name: 'reload-cancels',
  summary: 'reloads during a plain call, which cancels it; the next call must work',
  needs: ['page', 'tool', 'stateless', 'time'],
  interrupts: true,
  async run(context) {
    // Each further try interrupts earlier: on a busy machine a page takes its time to leave.
    for (const pace of [0.5, 0.25, 0.05]) {
      const finding = await cancelOnce(context, pace);
      if (finding) return finding;
    }
    return TOO_FAST;
  },
};

/** `undefined`: the call was over before the page had left. */
async function cancelOnce(context: Context, pace: number): Promise<Finding | undefined> {
  const { control, tool } = required(context);
  const { inspector, context: tab } = await context.open();
  try {
    const id = await inspector.call(tool.name, tool.args);
    await untilMiddle({ inspector, context: tab, id, control, pace }, context);
    await inspector.reload();
    await inspector.untilConnected(context.timeoutMs);
    const call = await inspector.callNamed(id);
    if (call.taskId !== undefined) {
      return {
        verdict: 'unsupported',
        why: `"${tool.name}" runs as a task, which a reload doesn't cancel.`,
      };
    }
    if (call.name === 'settled') return undefined;
    const again = await inspector.untilEnded(await inspector.call(tool.name, tool.args), context.timeoutMs);
    const counts = { received: call.received, resultDelivered: false, returned: CANCELLED };
    if (call.name === 'cancelled' && again.name === 'settled') {
      const why = 'The reload cancelled the call, as 2026-07-28 specifies. The next call worked.';
      return { verdict: 'pass', why, ...counts };
    }
    const exchange = exchangeOf((await inspector.entries('kind:http')).at(-1));
    return {
      verdict: 'fail',
      why: `After the reload, the call is ${call.name} and the next call is ${again.name}. ${again.why ?? again.error?.message ?? ''}`.trim(),
      cause: 'cancels-too-much',
      fix: 'Treat a closed stream as a cancellation of that request only.',
      ...counts,
      ...(exchange && { exchange }),
    };
  } finally {
    await context.close(tab);
  }
}
