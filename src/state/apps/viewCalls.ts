/** The tool calls of a view: calls like all others, that the user is asked about if a reopened view repeats one. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { judgeRepeat } from '../../apps/repeatedCall.ts';
import { mayAppCall } from '../../apps/toolView.ts';
import { asText } from '../../base/asText.ts';
import { isOpen, type Call } from '../../log/state/call.ts';
import type { AppFinding } from '../../log/entry/entry.ts';
import { refusal, REFUSED } from './refusal.ts';
import type { ShownServer } from '../shownServer.ts';

export interface ViewCallsOptions {
  readonly tab: ShownServer;
  /** The call that the view belongs to. */
  readonly callId: string;
  /** How often the view was opened, with this time. Counted by the view: the log hears of it later. */
  readonly opened: number;
  readonly openedAt: number;
  readonly ask: (tool: string) => Promise<boolean>;
  readonly find: (finding: AppFinding, text: string) => void;
}

export class ViewCalls {
  readonly #o: ViewCallsOptions;
  readonly #own = new Set<string>();

  constructor(options: ViewCallsOptions) {
    this.#o = options;
  }

  async call(name: string, args: object, signal: AbortSignal): Promise<CallToolResult> {
    const { tab, callId, find } = this.#o;
    const tool = tab.lists.tools.find((one) => one.name === name);
    if (tool && !mayAppCall(tool)) {
      find('tool-refused', `${name}: its visibility lacks “app”`);
      throw refusal(`The tool ${name} isn't visible to apps`);
    }
    const { readOnlyHint, idempotentHint } = tool?.annotations ?? {};
    await this.#askIfRepeated(name, args, readOnlyHint === true || idempotentHint === true);
    signal.throwIfAborted();
    const id = asText(await tab.execute({ name: 'call', tool: name, args, options: { appOf: callId } }));
    this.#own.add(id);
    signal.addEventListener('abort', () => void this.#cancel(id));
    if (signal.aborted) void this.#cancel(id);
    return resultOf(await this.#ended(id));
  }

  /** Throws if the user declines. */
  async #askIfRepeated(name: string, args: object, isRepeatable: boolean): Promise<void> {
    const { tab, callId, opened, openedAt, ask, find } = this.#o;
    const calls = [...tab.log.state.calls.values()];
    const context = { callId, opened, openedAt, isRepeatable, calls, own: this.#own };
    const verdict = judgeRepeat(name, args, context);
    if (verdict === 'pass') return;
    find(
      'called-again',
      `${name}, ${verdict === 'ask' ? 'with the same arguments' : 'with other arguments'}`,
    );
    if (verdict === 'ask' && !(await ask(name))) throw refusal('Declined by the user');
  }

  async #cancel(id: string): Promise<void> {
    await this.#o.tab.execute({ name: 'cancel', callId: id }).catch(() => undefined);
  }

  /** Resolves when the call has ended, and its result is there. */
  #ended(id: string): Promise<Call> {
    const { log } = this.#o.tab;
    return new Promise((resolve) => {
      const look = () => {
        const call = log.state.calls.get(id);
        if (!call || isOpen(call)) return;
        stop();
        resolve(call);
      };
      const stop = log.appended.on(look);
      look();
    });
  }
}

function resultOf({ result, error, name }: Call): CallToolResult {
  if (result) return result as CallToolResult;
  throw Object.assign(new Error(error?.message ?? `The call is ${name}`), { code: error?.code ?? REFUSED });
}
