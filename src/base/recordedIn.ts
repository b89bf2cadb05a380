/** Where messages are recorded, and why it is no worker. */

/** Why a worker that recorded does so no more, or never began. */
export type EndOfHost =
  | { readonly why: 'asked' }
  /** It could not be started. */
  | { readonly why: 'blocked'; readonly text?: string }
  /** The disk refused a write. */
  | { readonly why: 'storage'; readonly text: string }
  /** A bug. */
  | { readonly why: 'error'; readonly text: string };

/** Without an `end`, nothing has called for a worker yet. */
export type RecordedIn = { readonly name: 'worker' } | { readonly name: 'page'; readonly end?: EndOfHost };
