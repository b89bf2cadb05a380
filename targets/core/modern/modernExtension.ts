/** An extension of 2026-07-28: what is declared of it, and its methods. */
import type { McpServer } from '@modelcontextprotocol/server';

export interface ModernExtension {
  readonly declares: Readonly<Record<string, object>>;
  readonly serve: (mcp: McpServer) => void;
}
