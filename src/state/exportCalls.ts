/** Saved calls of a server as a file for `mcp-reprise verify --calls`. Pure. */
import type { SavedCall } from './savedCalls.svelte.ts';

interface KnownTool {
  readonly name: string;
  readonly outputSchema?: object | undefined;
}

/** Each is expected to end with a result that fits the output schema, if the tool has one. */
export function exportCalls(calls: readonly SavedCall[], tools: readonly KnownTool[]): string {
  const hasSchema = (tool: string): boolean =>
    tools.some(({ name, outputSchema }) => name === tool && outputSchema !== undefined);
  const file = {
    schemaVersion: 1,
    calls: calls.map(({ name, tool, args, meta }) => ({
      name,
      tool,
      args,
      ...(meta && { meta }),
      expect: { status: 'result', ...(hasSchema(tool) && { schema: true }), reload: true },
    })),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
