/** Who answers at an address, and in which era: asked as a page asks, the newer one first. */
import { objectField } from '../../../src/base/json.ts';
import type { Era, TaskKind } from '../context.ts';
import type { Tool } from '../contract.ts';
import { RawSession } from './rawSession.ts';
import { RawStateless, STATELESS_REVISION } from './rawStateless.ts';
import type { SseReader } from './sseReader.ts';

/** What both eras have: a list of tools, and a call whose stream is read from Node. */
export interface RawServer {
  call(tool: string, args: object, id: string): Promise<SseReader>;
  /** The standalone stream, where there is one. */
  get?(): Promise<SseReader>;
  close(): Promise<void>;
}

export interface Reached {
  readonly era: Era;
  readonly tasks: TaskKind | undefined;
  readonly hasSession: boolean;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  readonly tools: readonly Tool[];
}

export async function openRaw(url: string, headers: Readonly<Record<string, string>>): Promise<RawServer> {
  return (await RawStateless.open(url, headers)) ?? RawSession.open(url, headers);
}

export async function reach(url: string, headers: Readonly<Record<string, string>>): Promise<Reached> {
  const stateless = await RawStateless.open(url, headers);
  if (stateless) {
    const tools = await stateless.tools();
    await stateless.close();
    const extensions = objectField(stateless.capabilities, 'extensions');
    const tasks = extensions && 'io.modelcontextprotocol/tasks' in extensions ? 'extension' : undefined;
    const { server } = stateless;
    return { era: 'stateless', tasks, hasSession: false, server, protocolVersion: STATELESS_REVISION, tools };
  }
  const session = await RawSession.open(url, headers);
  const tools = await session.tools();
  const { server, protocolVersion, sessionId, capabilities } = session;
  await session.close();
  const requests = objectField(objectField(capabilities, 'tasks'), 'requests');
  const tasks = objectField(requests, 'tools') ? 'core' : undefined;
  return { era: 'session', tasks, hasSession: sessionId !== undefined, server, protocolVersion, tools };
}
