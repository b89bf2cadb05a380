/** What this page offers to servers. */
import type { ClientCapabilities } from '@modelcontextprotocol/client';

/** What an app can do when a server asks. */
export interface Offers {
  readonly elicitation: boolean;
  readonly sampling: boolean;
  readonly roots: boolean;
  /** Shows the views of MCP Apps. */
  readonly apps?: boolean;
}

export const ALL_OFFERS: Offers = { elicitation: true, sampling: true, roots: true, apps: true };

/** SEP-1865, "Client (Host) Capabilities". */
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

export interface OfferedCapabilities {
  readonly always: ClientCapabilities;
  /** Beside that, to servers with sessions: `initialize` asks for 2025-11-25, which has `tasks`. Others ignore it. */
  readonly session: ClientCapabilities;
  /** Beside that, to servers of 2026-07-28: a call may become a task, and its answer may ask for the roots. */
  readonly stateless: ClientCapabilities;
}

export function capabilitiesOf({ elicitation, sampling, roots, apps = false }: Offers): OfferedCapabilities {
  const requests = {
    ...(elicitation && { elicitation: { create: {} } }),
    ...(sampling && { sampling: { createMessage: {} } }),
  };
  return {
    always: {
      ...(elicitation && { elicitation: { form: {}, url: {} } }),
      ...(sampling && { sampling: {} }),
    },
    session: {
      ...(roots && { roots: { listChanged: true } }),
      ...((elicitation || sampling) && { tasks: { list: {}, cancel: {}, requests } }),
      ...(apps && { extensions: APPS }),
    },
    stateless: {
      ...(roots && { roots: {} }),
      extensions: { 'io.modelcontextprotocol/tasks': {}, ...(apps && APPS) },
    },
  };
}
