/** What this page offers to servers. */
import type { ClientCapabilities } from '@modelcontextprotocol/client';

export const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {} } satisfies ClientCapabilities;

/** Beside that, to servers with sessions: `initialize` asks for 2025-11-25, which has `tasks`. Others ignore it. */
export const SESSION_CAPABILITIES = {
  roots: { listChanged: true },
  tasks: {
    list: {},
    cancel: {},
    requests: { elicitation: { create: {} }, sampling: { createMessage: {} } },
  },
} satisfies ClientCapabilities;

/** Beside that, to servers of 2026-07-28: a call may become a task, and its answer may ask for the roots. */
export const STATELESS_CAPABILITIES = {
  roots: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
} satisfies ClientCapabilities;
