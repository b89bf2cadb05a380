/** What survives a reload where nothing is replayed: a task, a question with its state; and what does not. */
import type { Finding, Scenario } from '../context.ts';
import type { Returned } from '../report/facts.ts';
import { exchangeOf } from '../judge/observe.ts';
import { interrupt, required, untilMiddle } from './interrupt.ts';
import { askAcrossReload } from './pendingQuestion.ts';

export const reloadWithTask: Scenario = {
  name: 'reload-with-task',
  summary: 'the page is loaded again while a call runs as a task: it is followed by its handle',
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
    const why = `"${tool}" was not answered with a task, although the server offers tasks: name another with --tool.`;
    return { ...finding, verdict: 'unsupported', why };
  }
  if (returned.resultDelivered) {
    const why = 'The call was a task: its handle was kept, and polled to its end by the new page.';
    return finding.verdict === 'pass' ? { ...finding, why } : finding;
  }
  return {
    ...finding,
    verdict: 'fail',
    why: `The task was asked for again after the reload, and its result never came. ${finding.why}`,
    cause: 'task-lost',
    fix: 'Keep a task, and its result, for as long as its time to live says, whoever asks.',
  };
}

export const reloadWithQuestion: Scenario = {
  name: 'reload-with-question',
  summary: 'the page is loaded again between a question and its answer, which brings the state back',
  needs: ['page', 'stateless'],
  run: (context) =>
    askAcrossReload(context, {
      cause: 'request-state-rejected',
      lost: 'Answer with input_required and a requestState that holds all that is needed to go on.',
      refused: 'Accept a requestState from any page, for as long as a person may need to answer.',
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
  summary: 'the page is loaded again in the middle of a plain call, which cancels it; the next one works',
  needs: ['page', 'tool', 'stateless', 'time'],
  interrupts: true,
  async run(context) {
    const { control, tool } = required(context);
    const { inspector, context: tab } = await context.open();
    try {
      const id = await inspector.call(tool.name, tool.args);
      await untilMiddle({ inspector, context: tab, id, control, pace: 0.5 }, context);
      await inspector.reload();
      await inspector.untilConnected(context.timeoutMs);
      const call = await inspector.callNamed(id);
      if (call.taskId !== undefined) {
        return {
          verdict: 'unsupported',
          why: `"${tool.name}" runs as a task here, which a reload does not cancel.`,
        };
      }
      if (call.name === 'settled') {
        return { verdict: 'skipped', why: 'The call was over before the page was gone: name a longer one.' };
      }
      const again = await inspector.untilEnded(await inspector.call(tool.name, tool.args), context.timeoutMs);
      const counts = { received: call.received, resultDelivered: false, returned: CANCELLED };
      if (call.name === 'cancelled' && again.name === 'settled') {
        const why = 'The reload cancelled the call, as this revision says; the next call worked.';
        return { verdict: 'pass', why, ...counts };
      }
      const exchange = exchangeOf((await inspector.entries('kind:http')).at(-1));
      return {
        verdict: 'fail',
        why: `After the reload the call is ${call.name}, and the next one ${again.name}. ${again.why ?? again.error?.message ?? ''}`.trim(),
        cause: 'cancels-too-much',
        fix: 'Take a closed stream for a cancellation of its request alone, and go on serving.',
        ...counts,
        ...(exchange && { exchange }),
      };
    } finally {
      await context.close(tab);
    }
  },
};
