/**
 * Who answers at an address, and in which era: asked as a page asks. A server of both eras is used with sessions where
 * they have event IDs, because a reload can resume calls there.
 */
import type { BridgeMark } from '../../src/base/bridgeContract.ts';
import { objectField, type JsonObject } from '../../src/base/json.ts';
import type { SnapshotList } from '../../src/client/catalog/interface/snapshot.ts';
import type { Era, TaskKind } from '../context.ts';
import type { Tool } from '../contract.ts';
import { HarnessError } from '../harnessError.ts';
import { RawSession } from './rawSession.ts';
import { RawStateless, STATELESS_REVISION, TASKS_EXTENSION } from './rawStateless.ts';
import type { SseReader } from './sseReader.ts';

/** What both eras have: lists, and a call whose stream is read from Node. */
export interface RawServer {
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** Empty where the server rejects the request: many leave out a list that would be empty. */
  list(list: SnapshotList): Promise<readonly object[]>;
  call(tool: string, args: object, id: string, headWithinMs?: number): Promise<SseReader>;
  /** The standalone stream, or the one that this event belongs to, where there are such. */
  get?(lastEventId?: string): Promise<SseReader>;
  close(): Promise<void>;
}

export interface Reached {
  readonly era: Era;
  /** It has sessions and 2026-07-28 at one URL, and the sessions were chosen. */
  readonly isDual: boolean;
  readonly tasks: TaskKind | undefined;
  readonly hasSession: boolean;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  readonly tools: readonly Tool[];
  readonly capabilities: JsonObject;
  /** It is behind a bridge. */
  readonly bridge: BridgeMark | undefined;
}

/** Which way of the protocol is asked for; `auto` is what a page chooses by itself. */
export type Revision = 'auto' | 'session' | 'stateless';

export async function openRaw(
  url: string,
  headers: Readonly<Record<string, string>>,
  revision: Revision = 'auto',
): Promise<RawServer> {
  return (await openBetter(url, headers, revision)).raw;
}

type Better =
  | { readonly era: 'stateless'; readonly raw: RawStateless }
  | { readonly era: 'session'; readonly raw: RawSession; readonly isDual: boolean };

async function openBetter(
  url: string,
  headers: Readonly<Record<string, string>>,
  revision: Revision,
): Promise<Better> {
  const stateless = revision === 'session' ? undefined : await RawStateless.open(url, headers);
  if (revision === 'stateless') {
    if (stateless) return { era: 'stateless', raw: stateless };
    throw new HarnessError(
      'unreachable',
      `The server at ${new URL(url).host} doesn't support ${STATELESS_REVISION}. Remove --revision stateless.`,
    );
  }
  if (!stateless) return { era: 'session', raw: await RawSession.open(url, headers), isDual: false };
  const session = await RawSession.open(url, headers).catch(() => undefined);
  if (session?.sessionId !== undefined && (await session.sendsEventIds())) {
    await stateless.close();
    return { era: 'session', raw: session, isDual: true };
  }
  await session?.close();
  return { era: 'stateless', raw: stateless };
}

export async function reach(
  url: string,
  headers: Readonly<Record<string, string>>,
  revision: Revision = 'auto',
): Promise<Reached> {
  const better = await openBetter(url, headers, revision);
  const tools = await better.raw.tools();
  await better.raw.close();
  const { server, capabilities, bridge } = better.raw;
  const known = { server, tools, capabilities, bridge };
  if (better.era === 'stateless') {
    const extensions = objectField(capabilities, 'extensions');
    const tasks = extensions && TASKS_EXTENSION in extensions ? 'extension' : undefined;
    const protocolVersion = STATELESS_REVISION;
    return { ...known, era: 'stateless', isDual: false, tasks, hasSession: false, protocolVersion };
  }
  const { protocolVersion, sessionId } = better.raw;
  const requests = objectField(objectField(capabilities, 'tasks'), 'requests');
  const tasks = objectField(requests, 'tools') ? 'core' : undefined;
  const hasSession = sessionId !== undefined;
  return { ...known, era: 'session', isDual: better.isDual, tasks, hasSession, protocolVersion };
}
