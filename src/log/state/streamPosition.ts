/** Where one stream stands: what a page needs to ask for the rest of it. */
import { parseWireId } from '../protocol/wireId.ts';

export interface StreamPosition {
  readonly key: string;
  readonly callId?: string;
  /** The id of the last event that was recorded, if the server has named one. */
  readonly cursor?: string;
  /** The first entry of this stream: an open stream's entries are never evicted. */
  readonly since: number;
}

/** The stream on which a task of this call gives its result, and asks before that. */
export function isResultStream({ key }: Pick<StreamPosition, 'key'>, callId: string): boolean {
  const wireId = parseWireId(key);
  return wireId.followUp === 'result' && wireId.callId === callId;
}
