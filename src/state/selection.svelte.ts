/** What is selected of one server: its tool, the row of an exchange, and the call that is being typed. */
import type { Tool } from '@modelcontextprotocol/client';
import { ulid } from '../base/ulid.ts';
import { isToolCall, type Call } from '../log/state/call.ts';
import type { KeptText } from './storage/keptText.ts';
import type { ViewPrefs } from './viewPrefs.svelte.ts';
import type { ShownServer } from './shownServer.ts';

/** How rows of calls are named. */
const CALL_ROW = 'call/';

/** A call whose arguments are still being typed, and whose view is open already. It gets this ID when it's made. */
export interface TypedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: object;
  readonly name: 'typing';
}

export class Selection {
  readonly #tab: ShownServer;
  /** The tab, for what is drawn. */
  readonly #track: () => ShownServer;
  readonly #kept: KeptText;
  readonly #place: ViewPrefs;
  #pickedTool = $state<string>();
  /** The row of an exchange: a call, a read, a list. */
  #row = $state<string>();
  #typed = $state.raw<TypedCall>();

  constructor(tab: ShownServer, track: () => ShownServer, kept: KeptText, place: ViewPrefs) {
    this.#tab = tab;
    this.#track = track;
    this.#kept = kept;
    this.#place = place;
    this.#pickedTool = kept.read(this.#toolKey());
  }

  get hasPickedTool(): boolean {
    return this.#pickedTool !== undefined;
  }

  /** The tool that was picked; else the one that was called last; else the first. */
  get tool(): Tool | undefined {
    const wanted = this.#pickedTool ?? this.#newestCall()?.tool;
    const { tools } = this.#track().lists;
    return tools.find(({ name }) => name === wanted) ?? tools[0];
  }

  pickTool(name: string | undefined): void {
    this.#typed = undefined;
    this.#pickedTool = name;
    this.#kept.write(this.#toolKey(), name);
  }

  /** The call that was picked; else the newest. */
  get call(): Call | undefined {
    const row = this.#row;
    const callId = row?.startsWith(CALL_ROW) ? row.slice(CALL_ROW.length) : undefined;
    const picked = callId === undefined ? undefined : this.#track().log.state.calls.get(callId);
    return picked ?? this.#newestCall();
  }

  /** The row of the exchange that the list, the lanes and the details show as selected. */
  get row(): string | undefined {
    const { call } = this;
    return this.#row ?? (call && `${CALL_ROW}${call.id}`);
  }

  get isCall(): boolean {
    return this.row?.startsWith(CALL_ROW) ?? true;
  }

  pickRow(row: string | undefined): void {
    this.#typed = undefined;
    this.#row = row;
    if (row?.startsWith(CALL_ROW)) void this.#tab.loadResult(row.slice(CALL_ROW.length));
  }

  pickCall(id: string): void {
    this.pickRow(`${CALL_ROW}${id}`);
  }

  /** Goes to where the call and its result are. */
  showCall(id: string): void {
    const tool = this.#tab.log.state.calls.get(id)?.tool;
    if (tool !== undefined) this.pickTool(tool);
    this.pickCall(id);
    this.#place.write('section', 'tools');
  }

  get typed(): TypedCall | undefined {
    return this.#typed;
  }

  /** Shows the view of a tool while its arguments are typed. */
  typeCall(tool: string, args: object): void {
    const id = this.#typed?.tool === tool ? this.#typed.id : ulid();
    this.#typed = { id, tool, args, name: 'typing' };
  }

  /** A call that a view made doesn't take the place of the call that the view belongs to. */
  #newestCall(): Call | undefined {
    const calls = [...this.#track().log.state.calls.values()];
    return calls.filter((call) => isToolCall(call) && call.appOf === undefined).at(-1);
  }

  #toolKey(): string {
    return `reprise.tool/${encodeURIComponent(this.#tab.id)}`;
  }
}
