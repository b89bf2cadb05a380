/** Drafts in their order; what only counts and follows each other becomes a run. */
import type { Draft, RunDraft } from '../log/entry/draft.ts';
import type { RunShape } from '../log/entry/entryRun.ts';
import { RunColumns } from '../log/entry/runColumns.ts';
import type { Frame } from '../wire/exchange.ts';
import type { FrameContext } from './frameContext.ts';

export class FrameDrafts {
  readonly #context: FrameContext;
  readonly #all: (Draft | RunDraft)[] = [];
  #columns = new RunColumns();

  constructor(context: FrameContext) {
    this.#context = context;
  }

  push(...drafts: readonly Draft[]): void {
    if (drafts.length === 0) return;
    this.#endRun();
    this.#all.push(...drafts);
  }

  pushCounted(frame: Frame, shape: RunShape): void {
    if (this.#columns.add(frame.data, frame.id, shape)) return;
    this.#endRun();
    this.#columns.add(frame.data, frame.id, shape);
  }

  finish(): { readonly all: readonly (Draft | RunDraft)[]; readonly isNew: boolean } {
    this.#endRun();
    const isNew = this.#all.some((draft) => 'shapes' in draft || draft.body.kind === 'received');
    return { all: this.#all, isNew };
  }

  #endRun(): void {
    if (this.#columns.length === 0) return;
    const { stream, replaying } = this.#context;
    this.#all.push({ stream, ...(replaying && { replayed: true }), ...this.#columns.finish() });
    this.#columns = new RunColumns();
  }
}
