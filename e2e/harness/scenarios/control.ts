/** The call that is left alone: what it says is what an interrupted one must say too. */
import { setTimeout as pause } from 'node:timers/promises';
import { objectField } from '../../../src/base/json.ts';
import type { Context, Control, Scenario } from '../context.ts';
import { isRepeatable } from '../judge/compare.ts';
import { judgeCall } from '../judge/judgeCall.ts';
import { observe, type Observed } from '../judge/observe.ts';

/** The page asks again after five seconds of silence. */
const LONG_SILENCE_MS = 4000;
const RAW_ID = 'mcp-reprise-control';

export const control: Scenario = {
  name: 'control',
  summary: 'the tool is called and left alone, twice: the measure for everything else',
  needs: ['page', 'tool'],
  async run(context) {
    const observed = await callInPage(context);
    const { call } = observed;
    if (call.name !== 'settled') {
      const why = `The tool did not end by itself: ${call.why ?? `no result within ${context.timeoutMs / 1000} s`}.`;
      const fix = 'Name a shorter call with --tool and --args, or give it more time with --timeout.';
      return { verdict: 'fail', why, fix, received: observed.messages.length, resultDelivered: false };
    }
    const twin = await callFromNode(
      context,
      observed.messages.filter(({ stream }) => stream === 'standalone').length,
    );
    const found: Control = {
      observed,
      durationMs: (call.settledAt ?? call.startedAt) - call.startedAt,
      repeatable: isRepeatable(
        observed.messages.map(({ message }) => message),
        twin.messages,
      ),
      hasLongSilence: longestSilenceMs(observed) >= LONG_SILENCE_MS,
      firstIdMs: twin.firstIdMs,
      firstMessageMs: twin.firstMessageMs,
    };
    context.control = found;
    const finding = judgeCall(observed, found);
    const isError = call.error !== undefined || objectField(call, 'result')?.['isError'] === true;
    const warning = isError ? ['The tool answers with an error: check --args.'] : [];
    return { ...finding, remarks: [...(finding.remarks ?? []), ...warning] };
  },
};

async function callInPage(context: Context): Promise<Observed> {
  const { tool } = context;
  if (!tool) throw new Error('The control call needs a tool.');
  const { inspector, context: tab } = await context.open();
  try {
    const id = await inspector.call(tool.name, tool.args);
    const call = await inspector.untilEnded(id, context.timeoutMs);
    return observe(await inspector.entries(), call);
  } finally {
    await tab.close();
  }
}

interface Twin {
  readonly messages: readonly object[];
  readonly firstIdMs: number | undefined;
  readonly firstMessageMs: number | undefined;
}

/** The second control call, over plain HTTP: it also times the first event, which a page cannot. */
async function callFromNode(context: Context, expectedElsewhere: number): Promise<Twin> {
  const { tool } = context;
  if (!tool) throw new Error('The control call needs a tool.');
  const server = await context.newRawServer();
  try {
    // Progress may come on the standalone stream; a server without one answers 405, or holds the head back.
    const listening = (server.get?.() ?? Promise.resolve(undefined)).catch(() => undefined);
    await Promise.race([listening, pause(500)]);
    const stream = await server.call(tool.name, tool.args, RAW_ID);
    const answeredAt = Date.now();
    const isOver = () => stream.messages.some(({ id }) => id === RAW_ID);
    await stream.until(isOver, context.timeoutMs);
    const standalone = await Promise.race([listening, pause(0)]);
    const elsewhere = () =>
      (standalone?.messages ?? []).filter(
        (message) => objectField(message, 'params')?.['progressToken'] === RAW_ID,
      );
    // Two streams have no order: the last progress may come after the result.
    if (standalone) await standalone.until(() => elsewhere().length >= expectedElsewhere, 500);
    const named = stream.events.find(({ id }) => id !== undefined);
    const first = stream.events.find(({ message }) => message !== undefined);
    return {
      messages: [...stream.messages, ...elsewhere()],
      firstIdMs: named && named.at - answeredAt,
      firstMessageMs: first && first.at - answeredAt,
    };
  } finally {
    await server.close();
  }
}

function longestSilenceMs({ call, messages }: Observed): number {
  const times = [call.startedAt, ...messages.map(({ at }) => at)];
  return Math.max(0, ...times.slice(1).map((at, before) => at - (times[before] ?? at)));
}
