/** What the screen's state is made from, and what lies over the page. */
import type { Emitter } from '../base/emitter.ts';
import type { FrameBatcher } from '../base/frameBatcher.ts';
import type { RecordedIn } from '../base/recordedIn.ts';
import type { Result } from '../base/result.ts';
import type { Workspace } from '../client/inspector/index.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { Degraded } from '../storage/fallbackStore.ts';
import type { LinkRequest } from './linkRequest.ts';
import type { LogLink } from './logLink.ts';
import type { SavedCalls } from './savedCalls.svelte.ts';
import type { Shortcuts } from './shortcuts.ts';
import type { KeptText } from './storage/keptText.ts';

export interface AppOptions {
  readonly workspace: Workspace;
  readonly storage: { readonly degraded: Degraded | undefined; readonly onDegraded: Emitter<Degraded> };
  readonly recorder: { readonly recordedIn: RecordedIn; readonly moved: Emitter<undefined> };
  readonly demo: {
    readonly url: string;
    readonly modernUrl: string;
    readonly prepare: () => Promise<Result<string, string>>;
  };
  readonly frames: FrameBatcher;
  /** For this tab. */
  readonly kept: KeptText;
  /** For all tabs. */
  readonly keptForAll: KeptText;
  readonly saved: SavedCalls;
  readonly shortcuts: Shortcuts;
  readonly link: {
    readonly request: LinkRequest | undefined;
    readonly log: LogLink | undefined;
    readonly done: () => void;
  };
}

/** What lies over the page: at most one of them. */
export type Dialog = 'servers' | 'palette' | 'shortcuts' | 'settings' | 'help' | 'share' | 'compare';

/** Two entries of one log, or two calls by their first entries. */
export interface Comparison {
  /** Entries, or the calls that they belong to. */
  readonly of: 'entries' | 'calls';
  readonly left: Entry;
  readonly right: Entry;
  /** Closed: what was held to be compared isn't any longer. */
  readonly ondone: () => void;
}
