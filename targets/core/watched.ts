/** A resource that changes when it is told to, and who in which session wants to hear of it. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const WATCHED = 'reprise://counter';

interface Watch {
  readonly uris: Set<string>;
  touches: number;
}

const watches = new WeakMap<McpServer, Watch>();

export function serveWatched(mcp: McpServer): void {
  const watch: Watch = { uris: new Set(), touches: 0 };
  watches.set(mcp, watch);
  mcp.registerResource('counter', WATCHED, { title: 'Live counter', mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: `Updated ${watch.touches} times.` }],
  }));
  mcp.server.registerCapabilities({ resources: { subscribe: true } });
  mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    watch.uris.add(params.uri);
    return {};
  });
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    watch.uris.delete(params.uri);
    return {};
  });
}

/** Counts on, and tells whoever has subscribed. */
export async function touchWatched(mcp: McpServer): Promise<void> {
  const watch = watches.get(mcp);
  if (!watch) return;
  watch.touches += 1;
  if (watch.uris.has(WATCHED)) await mcp.server.sendResourceUpdated({ uri: WATCHED });
}
