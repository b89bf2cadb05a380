/** What a server writes into its log: the newest messages, and which of them somebody wants to see. */
import { objectField, stringField } from '../base/json.ts';
import type { Entry } from '../log/entry/entry.ts';
import { messageOf } from '../log/entry/messageOf.ts';

/** RFC 5424, from the loudest to the quietest. */
export const LEVELS = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'info',
  'debug',
] as const;

export interface LogMessage {
  readonly seq: number;
  readonly at: number;
  readonly level: string;
  readonly logger: string;
  /** As text: a string as it is, anything else as JSON. */
  readonly text: string;
  readonly callId?: string;
  readonly isReplayed: boolean;
}

export interface LogFilter {
  /** This loud or louder. */
  readonly level?: string;
  readonly logger?: string;
  readonly words?: string;
}

/** More than that is in the timeline. */
export const RING_SIZE = 500;

export function readLogMessage(entry: Entry): LogMessage | undefined {
  if (entry.kind !== 'received' || entry.method !== 'notifications/message') return undefined;
  const params = objectField(messageOf(entry), 'params') ?? {};
  const { data } = params;
  return {
    seq: entry.seq,
    at: entry.at,
    level: stringField(params, 'level') ?? 'info',
    logger: stringField(params, 'logger') ?? '',
    text: typeof data === 'string' ? data : (JSON.stringify(data) ?? ''),
    ...(entry.callId !== undefined && { callId: entry.callId }),
    isReplayed: entry.replayed === true,
  };
}

export function isShown(message: LogMessage, { level, logger, words }: LogFilter): boolean {
  if (level !== undefined && loudness(message.level) > loudness(level)) return false;
  if (logger !== undefined && message.logger !== logger) return false;
  return words === undefined || message.text.toLowerCase().includes(words.toLowerCase());
}

/** A level that is not one of the standard's is never filtered out. */
function loudness(level: string): number {
  return LEVELS.findIndex((known) => known === level);
}

/** The newest messages, oldest first; older ones fall out. */
export function addToRing(ring: readonly LogMessage[], added: readonly LogMessage[]): readonly LogMessage[] {
  return added.length === 0 ? ring : [...ring, ...added].slice(-RING_SIZE);
}
