/** The call that is left alone: what it says is what an interrupted one must say too. */
import { setTimeout as pause } from 'node:timers/promises';
import { objectField } from '../../src/base/json.ts';
import type { Context, Control, Finding, Scenario } from '../context.ts';
import { isPrimed, sayBlindWindow } from '../judge/blindWindow.ts';
import { isRepeatable } from '../judge/compare.ts';
import { errorIn } from '../judge/errorIn.ts';
import { judgeCall } from '../judge/judgeCall.ts';
import { observe, type Observed } from '../judge/observe.ts';
import { followCall } from '../probe/followCall.ts';

/** The page asks again after five seconds of silence. */
const LONG_SILENCE_MS = 4000;
const RAW_ID = 'mcp-reprise-control';

export const control: Scenario = {
  name: 'control',
  summary: 'calls the tool twice without interruption, as the reference for other scenarios',
  needs: ['page', 'tool'],
  async run(context) {
    const both = context.workers > 1 ? await callTwiceAtOnce(context) : undefined;
    const observed = both?.observed ?? (await callInPage(context));
    const { call } = observed;
    if (call.name !== 'settled') {
      const why = `The tool didn't finish: ${call.why ?? `no result within ${context.timeoutMs / 1000} s`}.`;
      const fix = 'Specify a shorter call with --tool and --args, or raise --timeout.';
      return {
        verdict: 'fail',
        why,
        fix,
        cause: 'control',
        received: observed.messages.length,
        resultDelivered: false,
      };
    }
    const error = errorIn(call);
    if ((error !== undefined) !== context.expectError) return wrongEnd(error, observed);
    const twin = both?.twin ?? (await callFromNode(context, onStandalone(observed)));
    const durationMs = durationOf(observed);
    const found: Control = {
      observed,
      durationMs,
      shortestMs: Math.min(durationMs, twin.durationMs),
      repeatable: saySame(observed, twin),
      hasLongSilence: longestSilenceMs(observed) >= LONG_SILENCE_MS,
      isPrimed: twin.isPrimed,
    };
    context.control = found;
    const finding = judgeCall(observed, found);
    return isServersOwn(context, observed)
      ? { ...finding, remarks: [...(finding.remarks ?? []), twin.blindWindow] }
      : finding;
  },
};

/** Without a session nothing is resumed, a task is polled, and a bridge gives its own event IDs. */
const isServersOwn = ({ hasSession, bridge }: Context, { call }: Observed): boolean =>
  hasSession && bridge === undefined && call.taskId === undefined;

/** So much longer than the other, and the two calls have waited for each other. */
const UNEQUAL = 1.5;

/** Both control calls at the same time; nothing if they may have disturbed each other. */
async function callTwiceAtOnce(context: Context): Promise<{ observed: Observed; twin: Twin } | undefined> {
  const inPage = callInPage(context);
  // A page that fails must not leave a rejection that nothing waits for.
  const expected = inPage.then(onStandalone, () => 0);
  const fromNode = callFromNode(context, expected);
  const [page, node] = await Promise.allSettled([inPage, fromNode]);
  if (page.status === 'rejected' || node.status === 'rejected') return undefined;
  const [observed, twin] = [page.value, node.value];
  const isEnded =
    observed.call.name === 'settled' && (errorIn(observed.call) !== undefined) === context.expectError;
  const [short = 0, long = 0] = [durationOf(observed), twin.durationMs].sort((a, b) => a - b);
  return isEnded && saySame(observed, twin) && long <= short * UNEQUAL ? { observed, twin } : undefined;
}

const saySame = ({ messages }: Observed, twin: Twin): boolean =>
  isRepeatable(
    messages.map(({ message }) => message),
    twin.messages,
  );

const onStandalone = ({ messages }: Observed): number =>
  messages.filter(({ stream }) => stream === 'standalone').length;

const durationOf = ({ call }: Observed): number => (call.settledAt ?? call.startedAt) - call.startedAt;

/** An error where a result is due is no measure for anything, and the other way round. */
function wrongEnd(error: string | undefined, { posted }: Observed): Finding {
  const said = error === undefined ? '' : error.slice(0, 200);
  return {
    verdict: 'fail',
    why:
      error === undefined
        ? 'The tool returned a result, although --expect-error is set.'
        : `The tool returned an error${said === '' ? '.' : `: ${said}`}`,
    fix:
      error === undefined
        ? 'Remove --expect-error.'
        : 'Pass arguments that the tool accepts with --args, or --expect-error if this error is intended.',
    cause: 'control',
    ...(posted && { exchange: posted }),
  };
}

const MORE_CALLS = 3;

/** Whether further calls that are left alone say the same as the control call. A race in a server shows only now and then. */
export async function saysTheSameEachTime(context: Context): Promise<boolean> {
  const { control: known } = context;
  if (!known) return false;
  for (let call = 0; call < MORE_CALLS; call += 1) {
    const twin = await callFromNode(context, onStandalone(known.observed));
    if (!saySame(known.observed, twin)) return false;
  }
  return true;
}

async function callInPage(context: Context): Promise<Observed> {
  const { tool } = context;
  if (!tool) throw new Error('The control call needs a tool.');
  const { inspector, context: tab } = await context.open();
  try {
    const id = await inspector.call(tool.name, tool.args);
    const call = await inspector.untilEnded(id, context.timeoutMs);
    return observe(await inspector.entries(), call);
  } finally {
    await context.close(tab);
  }
}

interface Twin {
  readonly messages: readonly object[];
  readonly isPrimed: boolean;
  readonly durationMs: number;
  /** In a sentence. */
  readonly blindWindow: string;
}

/** The second control call, over plain HTTP: it also sees which event came first. */
async function callFromNode(context: Context, expectedElsewhere: number | Promise<number>): Promise<Twin> {
  const { tool } = context;
  if (!tool) throw new Error('The control call needs a tool.');
  const server = await context.newRawServer();
  try {
    // Progress may come on the standalone stream; a server without one answers 405, or holds the head back.
    const listening = (server.get?.() ?? Promise.resolve(undefined)).catch(() => undefined);
    await Promise.race([listening, pause(500)]);
    const startedAt = Date.now();
    const stream = await server.call(tool.name, tool.args, RAW_ID, context.timeoutMs);
    const events = await followCall(server, stream, RAW_ID, context.timeoutMs);
    const durationMs = Date.now() - startedAt;
    const standalone = await Promise.race([listening, pause(0)]);
    const elsewhere = () =>
      (standalone?.messages ?? []).filter(
        (message) => objectField(message, 'params')?.['progressToken'] === RAW_ID,
      );
    // Two streams have no order: the last progress may come after the result.
    if (standalone) {
      const expected = await expectedElsewhere;
      await standalone.until(() => elsewhere().length >= expected, 500);
    }
    return {
      messages: [...events.flatMap(({ message }) => (message ? [message] : [])), ...elsewhere()],
      isPrimed: isPrimed(events),
      durationMs,
      blindWindow: sayBlindWindow({ isStream: stream.isStream, events, startedAt, durationMs }),
    };
  } finally {
    await server.close();
  }
}

function longestSilenceMs({ call, messages }: Observed): number {
  const times = [call.startedAt, ...messages.map(({ at }) => at)];
  return Math.max(0, ...times.slice(1).map((at, before) => at - (times[before] ?? at)));
}
