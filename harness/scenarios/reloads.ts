/** A page that is loaded again: once, several times, too early, and when everything is over. */
import { plural } from '../../src/base/format.ts';
import type { Finding, Scenario } from '../context.ts';
import {
  interrupt,
  judgeSteadily,
  judgeTries,
  newAbsence,
  observeToTheEnd,
  required,
  throughProxy,
  untilMiddle,
  untilPositioned,
} from './interrupt.ts';
import { judgeCall } from '../judge/judgeCall.ts';
import type { Observed } from '../judge/observe.ts';

export const reloadMidCall: Scenario = {
  name: 'reload-mid-call',
  summary: 'reloads the page during a call',
  needs: ['page', 'tool', 'initialize', 'time'],
  interrupts: true,
  async run(context) {
    const finding = await interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context);
      await interrupted.inspector.reload(interrupted.absence.begin());
      return undefined;
    });
    return context.hasSession || finding.verdict !== 'fail' ? finding : withoutSession(finding);
  },
};

/** A server that keeps no session breaks no promise; what a reload costs there is said all the same. */
function withoutSession({ fix: _fix, cause: _cause, exchange: _exchange, ...finding }: Finding): Finding {
  const why =
    'The server has no session (no Mcp-Session-Id in the initialize response), so the reload lost the call: ' +
    `${finding.received ?? 0} of ${plural(finding.control ?? 0, 'message')} arrived, and no result.`;
  return { ...finding, verdict: 'unsupported', why };
}

export const reloadTwice: Scenario = {
  name: 'reload-twice',
  summary: 'reloads the page several times during a call (--reloads)',
  needs: ['page', 'tool', 'session', 'event-ids', 'time'],
  interrupts: true,
  run: (context) =>
    interrupt(context, async (interrupted) => {
      for (let reload = 1; reload <= context.reloads; reload += 1) {
        await untilMiddle(interrupted, context, (reload / (context.reloads + 1)) * 0.9);
        await interrupted.inspector.reload(interrupted.absence.begin());
      }
      return undefined;
    }),
};

export const reloadBeforeFirstEvent: Scenario = {
  name: 'reload-before-first-event',
  summary: "reloads the page before the call's first message",
  needs: ['page', 'tool', 'session', 'event-ids', 'time'],
  interrupts: true,
  async run(context) {
    const { control } = required(context);
    const finding = await interrupt(
      context,
      async (interrupted) => {
        const { inspector, id, absence } = interrupted;
        await inspector.untilOpen(id);
        if (control.isPrimed) await untilPositioned(interrupted);
        await inspector.reload(absence.begin());
        return undefined;
      },
      // A busy machine may be slower than the first message, and then the page would not leave before it.
      { before: (proxy) => void (!control.isPrimed && proxy?.holdCalls()) },
    );
    if (control.isPrimed) return finding;
    const { blindWindowMs = 0 } = control.observed;
    return {
      ...finding,
      blindWindowMs,
      verdict: 'fail',
      cause: 'no-priming',
      why:
        `The first event ID arrives with the first message, ${Math.round(blindWindowMs)} ms after the call. ` +
        "A page that reloads earlier can't resume it.",
      ...(control.observed.posted && { exchange: control.observed.posted }),
      fix: 'Start each stream with an event that has an ID and empty data (2025-11-25, Streamable HTTP).',
    };
  },
};

export const reloadAfterResult: Scenario = {
  name: 'reload-after-result',
  summary: 'reloads the page after the call has finished',
  needs: ['page', 'tool', 'session', 'control'],
  async run(context) {
    const { control, tool } = required(context);
    const { inspector, context: tab } = await context.open();
    try {
      const id = await inspector.call(tool.name, tool.args);
      await inspector.untilEnded(id, context.timeoutMs);
      await inspector.reload();
      const observed = await observeToTheEnd(inspector, id, context, control);
      const [judged] = await judgeSteadily(context, control, (against) => [
        { finding: judgeCall(observed, against) },
      ]);
      return judged?.finding ?? judgeCall(observed, control);
    } finally {
      await context.close(tab);
    }
  },
};

const CONCURRENT = 3;

export const concurrentCalls: Scenario = {
  name: 'concurrent-calls',
  summary: `reloads the page during ${CONCURRENT} concurrent calls`,
  needs: ['page', 'tool', 'session', 'event-ids', 'time'],
  interrupts: true,
  run: (context) =>
    judgeTries(context, ({ pace, patience }) =>
      throughProxy(context, async (proxy) => {
        const { control, tool } = required(context);
        const absence = newAbsence(context, proxy, patience);
        const { inspector, context: tab, sessionId } = await context.open(proxy?.url);
        try {
          const ids: string[] = [];
          for (let call = 0; call < CONCURRENT; call += 1) {
            ids.push(await inspector.call(tool.name, tool.args));
          }
          const left = sessionId();
          for (const id of ids)
            await untilMiddle({ inspector, context: tab, id, control, pace }, context, 0.3);
          await inspector.reload(absence.begin(CONCURRENT));
          const calls: Observed[] = [];
          for (const id of ids) calls.push(await observeToTheEnd(inspector, id, context, control));
          return { calls, absence, sessionId: left };
        } finally {
          await context.close(tab);
        }
      }),
    ),
};
