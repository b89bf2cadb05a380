/**
 * Calls of 2026-07-28 as tasks of the bridge. That version has no resumption, and a closed stream cancels the call. So
 * the bridge holds the server's stream, and the page polls a task (the extension `io.modelcontextprotocol/tasks`). For
 * pages that declare the extension, and servers that don't have it themselves.
 */
import type { BridgeReplay } from '../src/base/bridgeContract.ts';
import { capabilitiesIn, hasTasks, TASKS_EXTENSION } from '../targets/core/modern/envelope.ts';
import { detailed } from '../targets/core/modern/modernTasks.ts';
import { TaskLedger, type TargetTask } from '../targets/core/tasks/taskLedger.ts';
import { RpcFault, type Answer, type InputRequest } from '../targets/core/toolContext.ts';
import { isRequestId } from './calls.ts';
import { forward, passOn, type Forwarded } from './forward.ts';
import { asError } from './httpUpstream.ts';
import { readMessages } from './readMessages.ts';
import { isJsonRecord, type JsonRecord } from './upstream.ts';

export interface HeldTasksOptions {
  readonly url: string;
  /** How long a task is kept after its end. */
  readonly holdMs: number;
}

/** A call that is over by then needs no task. */
const PLAIN_MS = 250;
const POLL_INTERVAL_MS = 500;

export class HeldTasks {
  readonly #o: HeldTasksOptions;
  readonly #ledger = new TaskLedger();
  /** Whether the server lacks the extension; its `server/discover` tells. */
  #isNeeded = false;

  constructor(options: HeldTasksOptions) {
    this.#o = options;
  }

  /** The response to a request that the bridge answers itself; `undefined` for one that passes. */
  async answer(message: unknown, headers: Headers): Promise<Response | undefined> {
    if (!isJsonRecord(message) || !isRequestId(message['id'])) return undefined;
    const params = isJsonRecord(message['params']) ? message['params'] : {};
    switch (message['method']) {
      case 'server/discover':
        return this.#discover(message, headers);
      case 'tools/call':
        return this.#isNeeded && hasTasks(capabilitiesIn(params['_meta']))
          ? this.#call(message, params, headers)
          : undefined;
      case 'tasks/get':
      case 'tasks/update':
      case 'tasks/cancel':
        return this.#serve(message, params);
      default:
        return undefined;
    }
  }

  /** What the mark of the bridge says of this server. */
  get replay(): BridgeReplay {
    return this.#isNeeded ? 'tasks' : 'none';
  }

  close(): void {
    this.#ledger.close();
  }

  /** Adds the extension to the capabilities of a server that doesn't have it. */
  async #discover(message: JsonRecord, headers: Headers): Promise<Response | undefined> {
    const answer = await this.#send(message, headers, new AbortController().signal);
    if (answer.status !== 200) return passOn(answer);
    let response: JsonRecord = {};
    await readMessages(answer, (_text, one) => {
      if ('result' in one || 'error' in one) response = one;
    });
    const result = isJsonRecord(response['result']) ? response['result'] : undefined;
    const capabilities = isJsonRecord(result?.['capabilities']) ? result['capabilities'] : undefined;
    this.#isNeeded = capabilities !== undefined && !hasTasks(capabilities);
    if (!this.#isNeeded) return Response.json(response);
    const extensions = { ...(capabilities?.['extensions'] as object | undefined), [TASKS_EXTENSION]: {} };
    return Response.json({
      ...response,
      result: { ...result, capabilities: { ...capabilities, extensions } },
    });
  }

  async #call(message: JsonRecord, params: JsonRecord, headers: Headers): Promise<Response> {
    const task = this.#ledger.create(String(params['name']), {
      ttlMs: null,
      pollIntervalMs: POLL_INTERVAL_MS,
    });
    const first = this.#send(message, headers, task.signal).then(async (answer) =>
      // A refusal passes as it is: a login, for example.
      answer.status === 200 ? { result: await this.#resultOf(task, answer) } : { refusal: passOn(answer) },
    );
    const over = await Promise.race([first.catch(asError), soon()]);
    if (over === undefined) {
      void this.#follow(task, message, params, headers, first);
      return respond(message, { result: { ...detailed(task), resultType: 'task' } });
    }
    this.#ledger.expire(task.id);
    if (over instanceof Error) return respond(message, { error: faultOf(asFault(over)) });
    return 'refusal' in over ? over.refusal : respond(message, over);
  }

  /** Follows the call to its end, with a new request for each round of answers. */
  async #follow(
    task: TargetTask,
    message: JsonRecord,
    params: JsonRecord,
    headers: Headers,
    first: Promise<{ result: JsonRecord } | { refusal: Response }>,
  ): Promise<void> {
    try {
      const answer = await first;
      if ('refusal' in answer) {
        throw new RpcFault(-32000, `The server responded with HTTP ${answer.refusal.status}.`, {
          bridge: true,
        });
      }
      let { result } = answer;
      for (let round = 1; result['resultType'] === 'input_required'; round += 1) {
        const requests = (result['inputRequests'] ?? {}) as Record<string, InputRequest>;
        const inputResponses = await this.#ledger.ask(task.id, requests);
        const { requestState } = result;
        const again = {
          ...message,
          // A retry is a new request (2026-07-28, "Multi Round-Trip Requests").
          id: `${String(message['id'])}-${round}`,
          params: { ...params, inputResponses, ...(requestState !== undefined && { requestState }) },
        };
        result = await this.#resultOf(task, await this.#send(again, headers, task.signal));
      }
      this.#ledger.settle(task.id, { name: 'completed', result: result as never });
    } catch (error) {
      this.#ledger.settle(task.id, { name: 'failed', fault: asFault(error) });
    } finally {
      setTimeout(() => this.#ledger.expire(task.id), this.#o.holdMs).unref();
    }
  }

  async #resultOf(task: TargetTask, answer: Forwarded): Promise<JsonRecord> {
    let response: JsonRecord | undefined;
    await readMessages(answer, (_text, one) => {
      if ('result' in one || 'error' in one) response = one;
      else this.#ledger.say(task.id, progressText(one) ?? task.message ?? '');
    });
    const { result, error } = response ?? {};
    if (isJsonRecord(result)) return result;
    if (!isJsonRecord(error)) throw new RpcFault(-32000, 'The server closed the stream before its response.');
    throw new RpcFault(Number(error['code']), String(error['message']), error['data']);
  }

  /** Requests for tasks of the bridge. Others pass, and the server refuses them. */
  #serve(message: JsonRecord, params: JsonRecord): Response | undefined {
    const taskId = String(params['taskId']);
    const task = this.#ledger.find(taskId);
    if (!task) return undefined;
    if (message['method'] === 'tasks/get') {
      return respond(message, { result: { ...detailed(task), resultType: 'complete' } });
    }
    if (message['method'] === 'tasks/cancel') this.#ledger.settle(taskId, { name: 'cancelled' });
    else this.#ledger.answer(taskId, (params['inputResponses'] ?? {}) as Record<string, Answer>);
    return respond(message, { result: { resultType: 'complete' } });
  }

  #send(message: JsonRecord, headers: Headers, signal: AbortSignal): Promise<Forwarded> {
    return forward(this.#o.url, { method: 'POST', headers, body: JSON.stringify(message), signal });
  }
}

function respond({ id }: JsonRecord, answer: object): Response {
  return Response.json({ jsonrpc: '2.0', id, ...answer });
}

function asFault(error: unknown): RpcFault {
  if (error instanceof RpcFault) return error;
  return new RpcFault(-32000, `No response from the server: ${asError(error).message}`, { bridge: true });
}

function faultOf({ code, message, data }: RpcFault): object {
  return { code, message, ...(data !== undefined && { data }) };
}

/** `3 of 20`, or what the server says. */
function progressText({ method, params }: JsonRecord): string | undefined {
  if (method !== 'notifications/progress' || !isJsonRecord(params)) return undefined;
  const { message, progress, total } = params;
  if (typeof message === 'string') return message;
  if (typeof progress !== 'number') return undefined;
  return typeof total === 'number' ? `${progress} of ${total}` : String(progress);
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, PLAIN_MS, undefined).unref());
}
