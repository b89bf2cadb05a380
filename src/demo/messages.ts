/** What a page says to the demo's worker. */
export type DemoMessage =
  /** Stay awake: a call of this page is open. */
  | 'reprise:stay-awake'
  /** Take over this page: it was loaded past the worker, as a hard reload does. */
  | 'reprise:claim'
  /** Another version is about to take over, and cannot before every stream of this one has ended. */
  | 'reprise:make-room'
  /** Somebody agreed to the new version, to which this is said. */
  | 'reprise:take-over'
  /** Say below which version a page must update: the answer goes to the port that is sent along. */
  | 'reprise:required-below'
  /** Carry a refresh: it comes on the port that is sent along. */
  | 'reprise:carry';
