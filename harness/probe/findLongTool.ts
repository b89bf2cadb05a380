/** Calls read-only tools that need no arguments for a moment each, to find one that takes long enough to interrupt. */
import { objectField } from '../../src/base/json.ts';
import { isReadOnly, needsArguments, type ChosenTool } from '../chooseTool.ts';
import type { Tool } from '../contract.ts';
import type { RawServer } from './reach.ts';

const TRIED_FOR_MS = 2000;
/** A shorter call is over before a page has left and come back. */
const LONG_ENOUGH_MS = 1000;
const MOST_TOOLS = 5;

export async function findLongTool(
  open: () => Promise<RawServer>,
  tools: readonly Tool[],
): Promise<ChosenTool | undefined> {
  const candidates = tools.filter((tool) => isReadOnly(tool) && !needsArguments(tool)).slice(0, MOST_TOOLS);
  let longest: { readonly name: string; readonly tookMs: number } | undefined;
  for (const { name } of candidates) {
    const tookMs = await durationOf(open, name);
    if (tookMs !== undefined && tookMs > (longest?.tookMs ?? 0)) longest = { name, tookMs };
    if (longest && longest.tookMs >= TRIED_FOR_MS) break;
  }
  if (!longest || longest.tookMs < LONG_ENOUGH_MS) return undefined;
  const { name, tookMs } = longest;
  const seconds = tookMs >= TRIED_FOR_MS ? `more than ${TRIED_FOR_MS / 1000}` : (tookMs / 1000).toFixed(1);
  return { name, args: {}, why: `read-only, and took ${seconds} s when tried` };
}

/** The end of the session ends what still runs. `undefined`: it ends in an error, so it can't be used. */
async function durationOf(open: () => Promise<RawServer>, tool: string): Promise<number | undefined> {
  const server = await open();
  const id = `mcp-reprise-try-${tool}`;
  const startedAt = Date.now();
  const tookMs = (): number => Date.now() - startedAt;
  try {
    const reader = await server.call(tool, {}, id, TRIED_FOR_MS);
    const find = () => reader.messages.find((message) => message['id'] === id);
    await reader.until(() => find() !== undefined, TRIED_FOR_MS - tookMs());
    const response = find();
    const result = objectField(response, 'result');
    const isUsable = response ? result !== undefined && result['isError'] !== true : !reader.ended;
    return isUsable ? tookMs() : undefined;
  } catch {
    // No head within that time: the tool works on, and is silent.
    return tookMs() >= TRIED_FOR_MS ? tookMs() : undefined;
  } finally {
    await server.close();
  }
}
