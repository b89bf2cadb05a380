/** Which lanes there are, from top to bottom, and what is drawn in each of them as a bar. */
import { STANDALONE } from '../log/entry/entry.ts';
import type { Exchanges } from './exchanges.ts';
import type { LogIndex } from './logIndex.ts';
import type { LaneKind } from './drawnKind.ts';
import type { Shape } from './shape.ts';
import type { CallSpan, Carriage, Span } from './span.ts';

export interface Bar {
  readonly span: Span;
  /** `whole`: the thing itself; `carried`: while a stream carried it. */
  readonly role: 'whole' | 'carried';
}

export interface Lane {
  readonly id: string;
  readonly kind: LaneKind;
  readonly label: string;
  readonly bars: readonly Bar[];
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** For each shape, the lanes that its entries are drawn in. */
  readonly lanesOf: (shape: Shape) => readonly number[];
}

/** Calls beyond this many share one lane, oldest first: nobody reads two hundred lanes. */
const OWN_LANES = 40;
const EARLIER = 'calls/earlier';

export function layOut(index: LogIndex): Lanes {
  const { exchanges, shapes } = index;
  const present = new Set<LaneKind>();
  for (let i = 0; i < shapes.length; i += 1) {
    const shape = shapes.at(i);
    present.add(shape.lane);
    if (shape.isError) present.add('errors');
  }
  const calls = [...exchanges.calls.values()];
  const own = calls.slice(-OWN_LANES);
  const earlier = calls.slice(0, -OWN_LANES);
  const lanes: Lane[] = [
    lane('page', 'page', 'page', []),
    lane('connection', 'connection', 'connection', exchanges.states.map(whole)),
    ...(earlier.length > 0
      ? [lane(EARLIER, 'calls', `${earlier.length} earlier calls`, earlier.map(whole))]
      : []),
    ...own.map((call) => lane(`call/${call.callId}`, 'calls', nameOf(call), barsOf(call, exchanges))),
    ...simple('stream', 'standalone stream', carried(exchanges, STANDALONE)),
    ...simple('questions', 'input requests', exchanges.questions.map(whole)),
    ...simple('tasks', 'tasks', requests(exchanges, true)),
    ...simple('requests', 'requests', requests(exchanges, false)),
    ...simple('app', 'app', []),
    ...simple('auth', 'auth', []),
    ...simple('notes', 'notes', []),
    ...simple('errors', 'errors', []),
  ];
  function simple(kind: LaneKind, label: string, bars: readonly Bar[]): readonly Lane[] {
    return present.has(kind) ? [lane(kind, kind, label, bars)] : [];
  }
  const rows = new Map(lanes.map(({ id }, row) => [id, row]));
  const known = new Map<Shape, readonly number[]>();
  return {
    lanes,
    lanesOf(shape) {
      const before = known.get(shape);
      if (before) return before;
      const found = [mainLane(shape, rows), shape.isError ? rows.get('errors') : undefined].filter(
        (row) => row !== undefined,
      );
      known.set(shape, found);
      return found;
    },
  };
}

/** Lays out again only when there is another span or shape. */
export function rememberLayout(): (index: LogIndex) => Lanes {
  let known: { readonly index: LogIndex; readonly revision: string; readonly lanes: Lanes } | undefined;
  return (index) => {
    const revision = `${index.exchanges.revision} ${index.shapes.length}`;
    if (known?.index !== index || known.revision !== revision) {
      known = { index, revision, lanes: layOut(index) };
    }
    return known.lanes;
  };
}

function mainLane({ lane: kind, callId }: Shape, rows: ReadonlyMap<string, number>): number | undefined {
  if (kind !== 'calls') return rows.get(kind);
  return rows.get(`call/${callId}`) ?? rows.get(EARLIER) ?? rows.get('requests');
}

const lane = (id: string, kind: LaneKind, label: string, bars: readonly Bar[]): Lane => ({
  id,
  kind,
  label,
  bars,
});
const whole = (span: Span): Bar => ({ span, role: 'whole' });

function barsOf(call: CallSpan, exchanges: Exchanges): readonly Bar[] {
  return [whole(call), ...carried(exchanges, call.callId)];
}

function carried({ carriages }: Exchanges, stream: string): readonly Bar[] {
  return carriages
    .filter((carriage: Carriage) => carriage.stream === stream)
    .map((span) => ({ span, role: 'carried' }));
}

function requests({ requests: all }: Exchanges, tasks: boolean): readonly Bar[] {
  return [...all.values()].filter(({ isTask }) => isTask === tasks).map(whole);
}

/** Most calls are named by ULIDs, whose ends differ. */
function nameOf({ tool, callId }: CallSpan): string {
  return `${tool} ·${callId.slice(-4)}`;
}

/** Times between page loads, when no page was there to see anything. */
export function gapsOf({ loads }: Exchanges): readonly Gap[] {
  return loads.flatMap(({ to, end }, i) => {
    const next = loads[i + 1];
    return next && end !== 'taken-over' ? [{ from: to, to: next.from, isKnown: end === 'left' }] : [];
  });
}

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Else the page was only not seen: when it went away nobody knows. */
  readonly isKnown: boolean;
}
