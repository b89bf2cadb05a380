/** The state of a bridged server and its process, as the bridge reports it. */
import {
  bridgeStatusUrl,
  type BridgeKept,
  type BridgeProcess,
  type BridgeStderrLine,
} from '../base/bridgeContract.ts';
import { isObject, numberField, objectField, stringField, type JsonObject } from '../base/json.ts';
import { plural } from '../base/format.ts';

export interface ShownBridge {
  readonly command: string;
  readonly process: string;
  readonly kept?: BridgeKept;
  readonly stderr: readonly BridgeStderrLine[];
  readonly skipped: readonly { readonly line: string; readonly count: number }[];
}

/** @param after the number of the last line of stderr that is known */
export async function readBridge(
  { url, sessionId }: { readonly url: string; readonly sessionId: string | undefined },
  after: number,
  request: typeof fetch,
): Promise<ShownBridge> {
  const response = await request(bridgeStatusUrl(url, { after }), {
    cache: 'no-store',
    ...(sessionId !== undefined && { headers: { 'mcp-session-id': sessionId } }),
  });
  if (!response.ok) throw new Error(`The bridge responded with HTTP ${response.status}.`);
  const status: unknown = await response.json();
  if (!isObject(status)) throw new Error('The bridge responded with something else than its state.');
  return readStatus(status);
}

export function readStatus(status: JsonObject): ShownBridge {
  const session = objectField(status, 'session');
  const kept = readKept(objectField(session, 'kept'));
  return {
    command: stringField(status, 'command') ?? '',
    process: processWords(
      objectField(session, 'process') as BridgeProcess | undefined,
      session !== undefined,
    ),
    ...(kept && { kept }),
    stderr: listOf(session, 'stderr').map((line) => ({
      number: numberField(line, 'number') ?? 0,
      at: numberField(line, 'at') ?? 0,
      line: stringField(line, 'line') ?? '',
    })),
    skipped: listOf(session, 'skipped').map((one) => ({
      line: stringField(one, 'line') ?? '',
      count: numberField(one, 'count') ?? 1,
    })),
  };
}

function processWords(process: BridgeProcess | undefined, hasSession: boolean): string {
  if (!hasSession) return 'no session';
  if (process === undefined) return 'none, the server is reached over HTTP';
  if (process.name === 'running') return `running, process ${process.pid}`;
  const { pid, exitCode, signal } = process;
  return `process ${pid} ${signal === null ? `exited with code ${exitCode}` : `was ended by ${signal}`}`;
}

/** How much of its limits a session uses. */
export function keptWords({ events, bytes, maxEvents, maxBytes }: BridgeKept): string {
  const share = Math.round(100 * Math.max(events / maxEvents, bytes / maxBytes));
  return `${plural(events, 'event')}, ${(bytes / 1_000_000).toFixed(1)} MB, in the memory of the bridge (${share}% of its limits)`;
}

function readKept(kept: JsonObject | undefined): BridgeKept | undefined {
  if (!kept) return undefined;
  const read = (name: keyof BridgeKept) => numberField(kept, name) ?? 0;
  return {
    events: read('events'),
    bytes: read('bytes'),
    maxEvents: read('maxEvents') || Infinity,
    maxBytes: read('maxBytes') || Infinity,
  };
}

function listOf(value: JsonObject | undefined, key: string): readonly JsonObject[] {
  const list = value?.[key];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
