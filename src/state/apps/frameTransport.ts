/** The transport to a view: the messages of its frame, checked, limited and recorded before the bridge sees them. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isTooBig, newBudget, spend } from '../../apps/messageBudget.ts';
import type { AppRecord } from '../../apps/messageLog.ts';
import type { SandboxPlace } from '../../apps/sandboxPlace.ts';
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { AppFinding } from '../../log/entry/entry.ts';

const RESERVED = 'ui/notifications/sandbox-';
const FINDINGS: ReadonlySet<string> = new Set<AppFinding>([
  'csp',
  'storage',
  'popup',
  'too-many-messages',
  'message-too-big',
]);

export interface FrameTransportOptions {
  readonly frame: HTMLIFrameElement;
  readonly place: SandboxPlace;
  readonly record: (record: AppRecord) => void;
  readonly onSandboxReady: () => void;
  /** It sends messages without end. */
  readonly onFlood: () => void;
}

export class FrameTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #o: FrameTransportOptions;
  readonly #hear = (event: MessageEvent): void => {
    this.#receive(event);
  };
  #budget = newBudget(performance.now());
  #isStopped = false;

  constructor(options: FrameTransportOptions) {
    this.#o = options;
  }

  start(): Promise<void> {
    addEventListener('message', this.#hear);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#o.record({ step: 'sent', ...described(message) });
    this.post(message);
    return Promise.resolve();
  }

  /** To the sandbox itself; a frame without an origin can't be named. */
  post(message: object): void {
    const { frame, place } = this.#o;
    frame.contentWindow?.postMessage(message, place.origin === 'own' ? place.messageOrigin : '*');
  }

  close(): Promise<void> {
    this.#isStopped = true;
    removeEventListener('message', this.#hear);
    this.onclose?.();
    return Promise.resolve();
  }

  #receive(event: MessageEvent): void {
    const { frame, place, onFlood } = this.#o;
    if (event.source !== frame.contentWindow || event.origin !== place.messageOrigin) return;
    const { budget, verdict } = spend(this.#budget, performance.now());
    this.#budget = budget;
    if (verdict === 'pass') this.#take(event.data);
    else if (verdict === 'drop') this.#find('too-many-messages', 'More than 200 messages per second');
    else if (!this.#isStopped) {
      this.#isStopped = true;
      onFlood();
    }
  }

  #take(data: unknown): void {
    if (this.#isStopped) return;
    if (isTooBig(data)) return this.#find('message-too-big', 'More than 10 MB');
    const message = plainJson(data);
    if (message?.['jsonrpc'] !== '2.0') return;
    const method = stringField(message, 'method');
    if (method?.startsWith(RESERVED) === true) return this.#takeOfSandbox(method, message);
    this.#o.record({ step: 'received', ...described(message) });
    this.onmessage?.(message as JSONRPCMessage);
  }

  #takeOfSandbox(method: string, message: JsonObject): void {
    if (method === `${RESERVED}proxy-ready`) return this.#o.onSandboxReady();
    if (method !== `${RESERVED}finding`) return;
    const params = objectField(message, 'params');
    const finding = stringField(params, 'finding') ?? '';
    const more = numberField(params, 'count');
    if (!FINDINGS.has(finding)) return;
    this.#find(finding as AppFinding, (stringField(params, 'detail') ?? '').slice(0, 300), more);
  }

  #find(finding: AppFinding, appText: string, count = 1): void {
    const more = Math.min(1_000_000, Math.max(0, Math.floor(count) - 1));
    this.#o.record({ step: 'finding', finding, appText, ...(more > 0 && { more }) });
  }
}

/** A structured clone can hold what JSON can't: maps, cycles, numbers that are too big. */
function plainJson(data: unknown): JsonObject | undefined {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(data));
    return isObject(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

function described(message: JsonObject): Pick<AppRecord, 'method' | 'appText'> {
  const method = stringField(message, 'method');
  return { ...(method !== undefined && { method: method.slice(0, 100) }), appText: JSON.stringify(message) };
}
