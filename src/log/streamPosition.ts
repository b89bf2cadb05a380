/** Where one stream stands: what a page needs to ask for the rest of it. */
export interface StreamPosition {
  readonly key: string;
  readonly callId?: string;
  /** The id of the last event that was recorded, if the server has named one. */
  readonly cursor?: string;
  /** The first entry of this stream: an open stream's entries are never evicted. */
  readonly since: number;
}
