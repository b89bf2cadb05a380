/** The server has asked the person something, and the page is loaded again before the answer. */
import { answerTo, chooseQuestionTool } from '../chooseQuestionTool.ts';
import type { Context, Finding, Scenario } from '../context.ts';
import type { Cause } from '../judge/causes.ts';
import { withoutEventIds } from '../judge/judgeCall.ts';
import { exchangeOf, observe, type Observed } from '../judge/observe.ts';
import type { Returned } from '../report/facts.ts';

const ASKED_WITHIN_MS = 10_000;

export const pendingQuestion: Scenario = {
  name: 'pending-question',
  summary: 'reloads while an elicitation or sampling request is open',
  needs: ['page', 'session'],
  run: (context) =>
    askAcrossReload(context, {
      cause: 'question-lost',
      lost: 'Keep pending requests in the session when the connection closes.',
      refused: "Match the answer by request ID within the session, and send the result on the call's stream.",
    }),
};

/** What to change in the server: when the question is gone, and when its answer is not taken. */
export interface QuestionFixes {
  readonly cause: Cause;
  readonly lost: string;
  readonly refused: string;
}

export async function askAcrossReload(context: Context, fixes: QuestionFixes): Promise<Finding> {
  const tool = chooseQuestionTool(context.tools);
  if (!tool) {
    const why = 'Found no tool that uses elicitation or sampling.';
    return { verdict: 'unsupported', why };
  }
  const { inspector, context: tab } = await context.open();
  try {
    const id = await inspector.call(tool.name, tool.args);
    if ((await inspector.untilAsked(ASKED_WITHIN_MS)).length === 0) {
      const call = await inspector.callNamed(id);
      const said = call.name === 'settled' ? 'it finished without a request' : 'no request within 10 s';
      return {
        verdict: 'unsupported',
        why: `"${tool.name}" sent no elicitation or sampling request: ${said}.`,
      };
    }
    // Reading the log waits until it is stored: nobody reads a question and leaves within the same milliseconds.
    await inspector.entries();
    await inspector.reload();
    await inspector.untilConnected(context.timeoutMs);
    return await answerAll(inspector, id, context, fixes);
  } finally {
    await context.close(tab);
  }
}

async function answerAll(
  inspector: Awaited<ReturnType<Context['open']>>['inspector'],
  id: string,
  context: Context,
  fixes: QuestionFixes,
): Promise<Finding> {
  // What the page had not stored yet comes again; a call that cannot be followed ends, and with it the waiting.
  let [question] = await inspector.untilAsked(500);
  let before = await inspector.callNamed(id);
  for (const endsAt = Date.now() + ASKED_WITHIN_MS; !question && before.settledAt === undefined;) {
    if (Date.now() > endsAt) break;
    [question] = await inspector.untilAsked(500);
    before = await inspector.callNamed(id);
  }
  if (!question || before.settledAt !== undefined) {
    const observed = observe(await inspector.entries(), before);
    const exchange = observed.refusal ?? observed.posted;
    return {
      verdict: 'fail',
      why: `The request was dropped during the reload. ${before.why ?? ''}`.trim(),
      ...fixFor(observed, fixes, fixes.lost),
      resultDelivered: false,
      returned: lostWith(observed),
      ...(exchange && { exchange }),
    };
  }
  await inspector.answer(question.id, answerTo(question));
  // A tool may ask more than once.
  for (let asked = 0; asked < 5; asked += 1) {
    const call = await inspector.untilEnded(id, Math.min(3000, context.timeoutMs));
    if (call.settledAt !== undefined) break;
    const [next] = await inspector.untilAsked(500);
    if (next) await inspector.answer(next.id, answerTo(next));
  }
  const call = await inspector.untilEnded(id, Math.min(20_000, context.timeoutMs));
  const observed = observe(await inspector.entries(), call);
  const counts = { received: call.received, replayed: call.replayed, duplicates: call.duplicates };
  if (call.name === 'settled' && call.result !== undefined) {
    const why =
      'The request was still open after the reload. The server accepted the answer and the tool continued.';
    return { verdict: 'pass', why, ...counts, resultDelivered: true };
  }
  const exchange = observed.refusal ?? exchangeOf((await inspector.entries('kind:http')).at(-1));
  return {
    verdict: 'fail',
    why: `The answer was sent after the reload, but no result followed. ${call.why ?? call.error?.message ?? ''}`.trim(),
    ...fixFor(observed, fixes, fixes.refused),
    ...counts,
    resultDelivered: false,
    returned: lostWith(observed),
    ...(exchange && { exchange }),
  };
}

/** Without event IDs no stream can be resumed, and so neither can a question: that is the cause then. */
function fixFor(
  { givesEventIds, restarted, followedAsTask, posted }: Observed,
  { cause }: QuestionFixes,
  fix: string,
): Pick<Finding, 'fix' | 'cause'> {
  const isCause = cause === 'question-lost' && !givesEventIds && !restarted && !followedAsTask;
  return isCause ? withoutEventIds(posted) : { fix, cause };
}

/** A call that waits for an answer is interrupted too, and a result that it never gets is lost. */
function lostWith({ givesEventIds, restarted, refusal, followedAsTask }: Observed): Returned {
  return {
    givesEventIds,
    wasBlind: false,
    restarted,
    refused: refusal !== undefined,
    resultDelivered: false,
    followedAsTask,
    missed: 0,
    recovered: 0,
  };
}
