/**
 * What a stdio server writes to stdout beside its messages, as its bridge has counted it. It runs behind a bridge only,
 * so it isn't on the list of scenarios.
 */
import { randomUUID } from 'node:crypto';
import { bridgeStatusUrl, type BridgeStatus } from '../../src/base/bridgeContract.ts';
import type { Context } from '../context.ts';
import type { ScenarioResult } from '../report/facts.ts';

export const STDOUT = 'stdout';

export async function judgeStdout(context: Context): Promise<ScenarioResult> {
  const { url, tool, timeoutMs } = context;
  const session = await context.newRawSession();
  try {
    await session.tools();
    if (tool) {
      const reader = await session.call(tool.name, tool.args, randomUUID());
      await reader.until(() => reader.messages.some((one) => 'result' in one || 'error' in one), timeoutMs);
      await reader.close();
    }
    const response = await fetch(bridgeStatusUrl(url), { headers: session.headersFor({}) });
    const { session: state } = (await response.json()) as BridgeStatus;
    return judge(state?.skipped ?? []);
  } finally {
    await session.close();
  }
}

function judge(skipped: readonly { readonly line: string; readonly count: number }[]): ScenarioResult {
  const lines = skipped.reduce((sum, { count }) => sum + count, 0);
  if (lines === 0) {
    return { name: STDOUT, verdict: 'pass', why: 'Every line on stdout is a JSON-RPC message.' };
  }
  return {
    name: STDOUT,
    verdict: 'fail',
    why: `${lines} of the lines on stdout ${lines === 1 ? "isn't a message" : "aren't messages"}, such as ${JSON.stringify(skipped[0]?.line.slice(0, 80))}.`,
    level: 'must',
    clause: '2025-11-25, Transports, stdio',
    fix: "Write logs to stderr. Clients may end the session at a line that isn't JSON-RPC.",
  };
}
