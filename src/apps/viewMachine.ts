/** The life of a view, as a pure machine: what is sent to it, and when (SEP-1865, "Lifecycle"). */
import { assertNever } from '../base/assertNever.ts';

/** The call that the view belongs to. */
export type CallFacts =
  /** Its arguments are still being typed. */
  | { readonly name: 'typing'; readonly args: object }
  | { readonly name: 'running'; readonly args: object }
  | { readonly name: 'done'; readonly args: object; readonly result: object }
  | { readonly name: 'without-result'; readonly args: object; readonly why: string };

/** What the view was told of its call. The input is sent once, and the outcome once after it. */
type Told = 'nothing' | 'input' | 'outcome';

export type ViewState =
  /** Its document is being read. */
  | { readonly name: 'loading' }
  /** The sandbox was requested. */
  | { readonly name: 'framing' }
  /** The sandbox has the document. Nothing is sent before the view is initialized. */
  | { readonly name: 'starting' }
  | { readonly name: 'running'; readonly told: Told }
  | { readonly name: 'closed'; readonly why: string };

export type ViewEvent =
  | { readonly type: 'document-read' | 'sandbox-ready' }
  /** It hasn't come within a few seconds: the port isn't reachable, or the name isn't resolved. */
  | { readonly type: 'sandbox-late' | 'initialized-late' }
  | { readonly type: 'initialized' | 'call-changed'; readonly call: CallFacts }
  | { readonly type: 'stop'; readonly why: string };

export type ViewEffect =
  | {
      readonly does:
        | 'frame'
        | 'use-opaque-frame'
        | 'send-document'
        | 'report-not-initialized'
        | 'remove-frame';
    }
  | TellEffect;

/** What the view is told of its call. */
export type TellEffect =
  | { readonly does: 'send-partial-input' | 'send-input'; readonly args: object }
  | { readonly does: 'send-result'; readonly result: object }
  | { readonly does: 'send-cancelled'; readonly why: string };

export interface ViewStep {
  readonly state: ViewState;
  readonly effects: readonly ViewEffect[];
}

export function nextView(state: ViewState, event: ViewEvent): ViewStep {
  if (state.name === 'closed') return stay(state);
  switch (event.type) {
    case 'document-read':
      return state.name === 'loading' ? step({ name: 'framing' }, { does: 'frame' }) : stay(state);
    case 'sandbox-ready':
      return state.name === 'framing' ? step({ name: 'starting' }, { does: 'send-document' }) : stay(state);
    case 'sandbox-late':
      return state.name === 'framing' ? step(state, { does: 'use-opaque-frame' }) : stay(state);
    case 'initialized-late':
      return state.name === 'starting' ? step(state, { does: 'report-not-initialized' }) : stay(state);
    case 'initialized':
      return state.name === 'starting' ? tell('nothing', event.call) : stay(state);
    case 'call-changed':
      return state.name === 'running' ? tell(state.told, event.call) : stay(state);
    case 'stop':
      return step({ name: 'closed', why: event.why }, { does: 'remove-frame' });
    default:
      return assertNever(event);
  }
}

function tell(told: Told, call: CallFacts): ViewStep {
  const { args } = call;
  if (told === 'outcome') return stay({ name: 'running', told });
  if (call.name === 'typing') {
    const isEarly = told === 'nothing';
    return {
      state: { name: 'running', told },
      effects: isEarly ? [{ does: 'send-partial-input', args }] : [],
    };
  }
  const input: readonly ViewEffect[] = told === 'nothing' ? [{ does: 'send-input', args }] : [];
  switch (call.name) {
    case 'running':
      return { state: { name: 'running', told: 'input' }, effects: input };
    case 'done':
      return ended([...input, { does: 'send-result', result: call.result }]);
    case 'without-result':
      return ended([...input, { does: 'send-cancelled', why: call.why }]);
    default:
      return assertNever(call);
  }
}

const ended = (effects: readonly ViewEffect[]): ViewStep => ({
  state: { name: 'running', told: 'outcome' },
  effects,
});
const step = (state: ViewState, ...effects: readonly ViewEffect[]): ViewStep => ({ state, effects });
const stay = (state: ViewState): ViewStep => ({ state, effects: [] });
