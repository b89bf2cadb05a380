/** What is known of how earlier versions stored servers: by their names. */
import type { Clock } from '../../../base/clock.ts';
import type { TabTexts } from '../../../storage/credentialPlace.ts';
import type { Store } from '../../../storage/store.ts';
import type { LocksLike } from '../../../base/exclusive.ts';

export const OLD_LIST = 'workspace';

export interface UpgradeEnvironment {
  /** Not one that falls back to memory: what is removed here must be on disk under its new key. */
  readonly disk: Store;
  readonly locks: LocksLike | undefined;
  readonly tabTexts: TabTexts;
  readonly clock: Pick<Clock, 'after'>;
}
