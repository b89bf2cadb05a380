/** Two messages line by line, or two calls message by message. */
import type { Entry } from '../log/entry/entry.ts';
import { messageOf } from '../log/entry/messageOf.ts';
import { align, type Row } from './align.ts';
import type { Exchanges } from './exchanges.ts';
import type { CallSpan } from './span.ts';

export function compareEntries(left: Entry, right: Entry): readonly Row<string>[] {
  return align(linesOf(left), linesOf(right), (line) => line);
}

function linesOf(entry: Entry): readonly string[] {
  const { seq: _seq, at: _at, load: _load, ...body } = entry;
  return JSON.stringify(messageOf(entry) ?? body, undefined, 2).split('\n');
}

export interface CallMessage {
  readonly entry: Entry;
  readonly sinceMs: number;
  /** What it says, without what differs between any two calls. */
  readonly content: string;
}

export interface CallComparison {
  readonly rows: readonly Row<CallMessage>[];
  readonly same: number;
  readonly differing: number;
}

/** The messages of two calls, aligned: ids, tokens and times are no difference; a message that is missing is. */
export function compareCalls(left: readonly Entry[], right: readonly Entry[]): CallComparison {
  const rows = align(messagesOf(left), messagesOf(right), ({ content }) => content);
  const same = rows.filter(({ how }) => how === 'same').length;
  return { rows, same, differing: rows.length - same };
}

function messagesOf(entries: readonly Entry[]): readonly CallMessage[] {
  const startedAt = entries[0]?.at ?? 0;
  return entries
    .filter((entry) => entry.kind === 'sent' || entry.kind === 'received')
    .map((entry) => ({ entry, sinceMs: entry.at - startedAt, content: contentOf(entry) }));
}

function contentOf(entry: Entry): string {
  const { id: _id, jsonrpc: _version, ...message } = messageOf(entry) ?? {};
  const token = 'callId' in entry ? entry.callId : undefined;
  const text = JSON.stringify(message);
  return `${entry.kind} ${token === undefined ? text : text.replaceAll(token, '')}`;
}

/** The newest finished call of the same tool with the same arguments that no reload has disturbed. */
export function controlOf(call: CallSpan, { calls, loads }: Exchanges): CallSpan | undefined {
  return [...calls.values()].findLast(
    (other) =>
      other !== call &&
      other.tool === call.tool &&
      other.args === call.args &&
      other.end === 'done' &&
      !loads.some(({ from }) => from > other.from && from < (other.to ?? Infinity)),
  );
}
