/** Calls each read-only tool of a 2026-07-28 server once, to see what a reload would cost: the response tells. */
import { objectField, stringField } from '../../src/base/json.ts';
import { isReadOnly, requiredArguments } from '../chooseTool.ts';
import type { Tool } from '../contract.ts';
import { costOfResponse } from '../judge/reloadCost.ts';
import type { ReloadCost } from '../report/facts.ts';
import { RawStateless } from './rawStateless.ts';

/** A call that takes longer is one that a reload would hurt. */
const LONG_ENOUGH_MS = 3000;
const MOST_TOOLS = 20;

export async function measureReloadCosts(
  url: string,
  headers: Readonly<Record<string, string>>,
  tools: readonly Tool[],
  shown: readonly ReloadCost[],
): Promise<readonly ReloadCost[]> {
  const raw = await RawStateless.open(url, headers);
  if (!raw) return shown;
  try {
    const costs: ReloadCost[] = [...shown];
    let called = 0;
    for (const tool of tools.filter(({ name }) => !shown.some((cost) => cost.tool === name))) {
      const why = whyNotCalled(tool, called);
      if (why === undefined) called += 1;
      costs.push(why === undefined ? await costOf(raw, tool) : { tool: tool.name, cost: 'not-tested', why });
    }
    return costs;
  } finally {
    await raw.close();
  }
}

function whyNotCalled(tool: Tool, called: number): string | undefined {
  if (!isReadOnly(tool)) return 'Not marked as read-only (readOnlyHint).';
  return called < MOST_TOOLS ? undefined : `Only ${MOST_TOOLS} tools are called.`;
}

async function costOf(raw: RawStateless, tool: Tool): Promise<ReloadCost> {
  const id = `mcp-reprise-cost-${tool.name}`;
  const startedAt = Date.now();
  try {
    const reader = await raw.callAsPage(tool.name, requiredArguments(tool), id, LONG_ENOUGH_MS);
    const find = () => reader.messages.find((message) => message['id'] === id);
    await reader.until(() => find() !== undefined, LONG_ENOUGH_MS);
    const response = find();
    // Closing the stream cancels what still runs (2026-07-28, Streamable HTTP: Cancellation).
    await reader.close();
    const taskId = stringField(objectField(response, 'result'), 'taskId');
    if (taskId !== undefined) await raw.cancelTask(taskId).catch(() => undefined);
    return costOfResponse(tool.name, response, Date.now() - startedAt);
  } catch {
    // No head within that time: the tool works on, and is silent.
    const tookMs = Date.now() - startedAt;
    if (tookMs >= LONG_ENOUGH_MS) return costOfResponse(tool.name, undefined, tookMs);
    return { tool: tool.name, cost: 'not-tested', why: 'The server sent no response.' };
  }
}
