/**
 * What has changed in a state since it was last looked at, as plain data, and how a mirror of the state takes it over. The
 * reducer never changes a value in place, so what is another object is another value.
 */
import { CacheHints } from '../log/state/cacheHints.ts';
import type { CacheHint } from '../log/protocol/cacheHint.ts';
import type { ClosedQuestion } from '../log/state/question.ts';
import type { MutableServerState } from '../log/state/mutableServerState.ts';
import type { ServerState } from '../log/state/serverState.ts';

type Facts = ReturnType<typeof factsOf>;
type Maps<M> = Readonly<Record<string, M>>;

interface MapChange {
  readonly removed: readonly string[];
  readonly set: readonly (readonly [key: string, value: unknown])[];
}

export interface StateChange {
  readonly facts?: Partial<Facts>;
  readonly maps?: Readonly<Record<string, MapChange>>;
  readonly closedQuestions?: readonly ClosedQuestion[];
  readonly hints?: readonly CacheHint[];
}

export class StateChanges {
  readonly #state: ServerState;
  readonly #maps: Maps<Map<string, unknown>>;
  #facts: Facts;
  #closed: readonly ClosedQuestion[];
  #hints: readonly CacheHint[];

  constructor(state: ServerState) {
    this.#state = state;
    this.#facts = factsOf(state);
    this.#maps = copied(mapsOf(state));
    this.#closed = state.questions.closed;
    this.#hints = state.hints.snapshot();
  }

  /** What has changed since this was last called. */
  take(): StateChange {
    const { questions, hints } = this.#state;
    const facts = this.#takeFacts();
    const maps = this.#takeMaps();
    const { closed } = questions;
    const closedQuestions = closed === this.#closed ? undefined : closed;
    this.#closed = closed;
    const known = this.#hints;
    const current = hints.snapshot();
    const isSame = current.length === known.length && current.every((hint, i) => hint === known[i]);
    this.#hints = current;
    return {
      ...(facts && { facts }),
      ...(maps && { maps }),
      ...(closedQuestions && { closedQuestions }),
      ...(!isSame && { hints: current }),
    };
  }

  #takeFacts(): Partial<Facts> | undefined {
    const before = this.#facts;
    const now = factsOf(this.#state);
    this.#facts = now;
    const known = new Map<string, unknown>(Object.entries(before));
    const changed = Object.entries(now).filter(([name, value]) => value !== known.get(name));
    return changed.length === 0 ? undefined : Object.fromEntries(changed);
  }

  #takeMaps(): StateChange['maps'] {
    const now = mapsOf(this.#state);
    const changes = Object.entries(now).flatMap(([name, map]) => {
      const change = changeOf(this.#maps[name] ?? new Map(), map);
      return change ? [[name, change] as const] : [];
    });
    if (changes.length === 0) return undefined;
    for (const [name, change] of changes) applyTo(this.#maps[name], change);
    return Object.fromEntries(changes);
  }
}

export function applyChange(
  state: MutableServerState,
  { facts, maps = {}, closedQuestions, hints }: StateChange,
): void {
  Object.assign(state, facts);
  const mirrored = mapsOf(state) as Maps<Map<string, unknown>>;
  for (const [name, change] of Object.entries(maps)) applyTo(mirrored[name], change);
  if (closedQuestions) state.questions.closed = closedQuestions;
  if (hints) state.hints = new CacheHints(hints);
}

function mapsOf(state: ServerState): Maps<ReadonlyMap<string, unknown>> {
  const { streams, calls, questions, continuations, receivedTasks, apps } = state;
  const { tasks, rounds } = continuations;
  const { tasks: received, requests } = receivedTasks;
  return { streams, calls, questions, tasks, rounds, received, requests, apps };
}

function factsOf(state: ServerState) {
  const { load, nextSeq, connection, sendsEventIds, era, bridge } = state;
  const { recovered, recovery, usedAt, logMessages, lastConnection } = state;
  const counted = { recovered, recovery, usedAt, logMessages, lastConnection };
  return { load, nextSeq, connection, sendsEventIds, era, bridge, ...counted };
}

function copied(maps: Maps<ReadonlyMap<string, unknown>>): Maps<Map<string, unknown>> {
  return Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, new Map(map)]));
}

function changeOf(
  before: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): MapChange | undefined {
  if (isSame(before, now)) return undefined;
  const removed = [...before.keys()].filter((key) => !now.has(key));
  const kept = removed.length === 0 ? [...before.keys()] : [...before.keys()].filter((key) => now.has(key));
  const keys = [...now.keys()];
  // A map has its keys in the order in which they were added: one that is elsewhere now was removed meanwhile.
  if (kept.some((key, i) => key !== keys[i])) return { removed: [...before.keys()], set: [...now] };
  const set = [...now].filter(([key, value]) => value !== before.get(key) || !before.has(key));
  return removed.length === 0 && set.length === 0 ? undefined : { removed, set };
}

/** Asked of every map with every batch: most have not changed, and can have thousands of keys. */
function isSame(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): boolean {
  if (before.size !== now.size) return false;
  const known = before.entries();
  for (const [key, value] of now) {
    const pair = known.next().value;
    if (!pair || pair[0] !== key || pair[1] !== value) return false;
  }
  return true;
}

function applyTo(map: Map<string, unknown> | undefined, { removed, set }: MapChange): void {
  for (const key of removed) map?.delete(key);
  for (const [key, value] of set) map?.set(key, value);
}
