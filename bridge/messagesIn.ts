/** The JSON-RPC messages in a text: one, or a batch. Only their shape is checked, so what a server adds passes. Pure. */
import { isJsonRecord, type JsonRecord } from './upstream.ts';

export interface MessageText {
  /** In one line. */
  readonly text: string;
  readonly message: JsonRecord;
}

export function messagesIn(text: string): readonly MessageText[] {
  const value = parse(text);
  if (Array.isArray(value)) {
    const messages = value.filter(isMessage);
    return messages.map((message) => ({ text: JSON.stringify(message), message }));
  }
  if (!isMessage(value)) return [];
  const isOneLine = !text.includes('\n') && !text.includes('\r');
  return [{ text: isOneLine ? text : JSON.stringify(value), message: value }];
}

function isMessage(value: unknown): value is JsonRecord {
  if (!isJsonRecord(value) || value['jsonrpc'] !== '2.0') return false;
  return typeof value['method'] === 'string' || 'result' in value || 'error' in value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
