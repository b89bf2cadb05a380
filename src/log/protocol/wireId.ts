/**
 * The ids of the requests that follow up a call: its next round, its task's polls. They name the call that they belong
 * to, so that an answer finds its call in whatever page load it arrives, and no id is used twice.
 */

export type FollowUp =
  /** The same request again, with the answers to what the server asked. */
  | 'round'
  /** The same request again, because the first was refused before it was run. */
  | 'retry'
  | 'poll'
  | 'result'
  | 'update'
  | 'cancel';

const FOLLOW_UPS: ReadonlySet<string> = new Set<FollowUp>([
  'round',
  'retry',
  'poll',
  'result',
  'update',
  'cancel',
]);

export interface WireId {
  readonly callId: string;
  /** Absent for the request that began the call. */
  readonly followUp?: FollowUp;
}

export function followUpId(callId: string, followUp: FollowUp, unique: string): string {
  return `${callId}.${followUp}.${unique}`;
}

/** An id that is not one of ours is taken for the call's own. */
export function parseWireId(id: string): WireId {
  const parts = id.split('.');
  const [callId, followUp] = parts.slice(-3);
  if (parts.length < 3 || callId === undefined || !isFollowUp(followUp)) return { callId: id };
  return { callId: [...parts.slice(0, -3), callId].join('.'), followUp };
}

function isFollowUp(text: string | undefined): text is FollowUp {
  return text !== undefined && FOLLOW_UPS.has(text);
}

/** Is this the request of the call itself? A request about its task is not. */
export function makesCall({ followUp }: WireId): boolean {
  return followUp === undefined || followUp === 'round' || followUp === 'retry';
}
