/** What this page offers to servers. */
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { Offers } from '../settings/offers.ts';

export interface OfferedCapabilities {
  readonly always: ClientCapabilities;
  /** Beside that, to servers with sessions: `initialize` asks for 2025-11-25, which has `tasks`. Others ignore it. */
  readonly session: ClientCapabilities;
  /** Beside that, to servers of 2026-07-28: a call may become a task, and its answer may ask for the roots. */
  readonly stateless: ClientCapabilities;
}

/** @param withheld names of capabilities and extensions that are left out, to see what a server hides */
export function capabilitiesOf(offers: Offers, withheld: readonly string[] = []): OfferedCapabilities {
  const all = allCapabilities(offers);
  return {
    always: without(all.always, withheld),
    session: without(all.session, withheld),
    stateless: without(all.stateless, withheld),
  };
}

/** The names that can be withheld: the capabilities, and each extension by itself. */
export function declaredNames(offers: Offers): readonly string[] {
  const parts = Object.values(allCapabilities(offers)) as ClientCapabilities[];
  const names = parts.flatMap(({ extensions = {}, ...others }) => [
    ...Object.keys(others),
    ...Object.keys(extensions),
  ]);
  return [...new Set(names)];
}

function without(
  { extensions = {}, ...others }: ClientCapabilities,
  withheld: readonly string[],
): ClientCapabilities {
  // Every field of both is optional.
  const left = <T extends object>(value: T): T =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !withheld.includes(name))) as T;
  const declared = left(extensions);
  return { ...left(others), ...(Object.keys(declared).length > 0 && { extensions: declared }) };
}

/** SEP-1865, "Client (Host) Capabilities". */
const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

function allCapabilities({ elicitation, sampling, roots, apps = false }: Offers): OfferedCapabilities {
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
