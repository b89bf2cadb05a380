import { describe, expect, test } from 'vitest';
import { asText } from '../base/asText.ts';
import type { Entry, EntryBody } from '../log/entry/entry.ts';
import { describeEntry } from './entryLine.ts';
import { recorded } from '../log/reasons/reason.ts';

const entry = (seq: number, body: EntryBody): Entry => ({ seq, at: seq * 10, load: 1, ...body });
const received = (message: object, more: object = {}): Entry =>
  entry(1, {
    kind: 'received',
    stream: '01JABCDEFGHJKMNPQRSTVWXYZ0',
    raw: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...('method' in message && { method: asText(message.method) }),
    ...more,
  });

describe('describeEntry', () => {
  test.each<[string, Entry, object]>([
    [
      'progress',
      received({ method: 'notifications/progress', params: { progress: 3, total: 9, message: 'tick' } }),
      { mark: 'live', kind: 'received', label: 'notifications/progress', gist: '3/9 · tick', stream: 'XYZ0' },
    ],
    [
      'a replayed log message',
      received(
        { method: 'notifications/message', params: { level: 'info', data: 'hi' } },
        { replayed: true },
      ),
      { mark: 'replayed', kind: 'replayed', gist: 'info hi' },
    ],
    [
      'a question',
      received({ id: 1, method: 'elicitation/create', params: { message: 'Who?' } }),
      { mark: 'waiting', gist: 'Who?' },
    ],
    [
      'a result',
      received({ id: 'a', result: { content: [{ type: 'text', text: 'done' }] } }),
      { label: 'response', gist: 'done' },
    ],
    ['an error', received({ id: 'a', error: { code: -1, message: 'no' } }), { gist: 'error -1: no' }],
    [
      'a duplicate',
      entry(1, { kind: 'duplicate', stream: 'standalone', eventId: '7' }),
      { mark: 'duplicate', kind: 'duplicate', label: 'dropped', stream: 'GET' },
    ],
    [
      'a lost call',
      entry(1, {
        kind: 'call',
        callId: '01JABCDEFGHJKMNPQRSTVWcdef',
        change: { name: 'lost', reason: recorded('Gone.') },
      }),
      { mark: 'lost', label: 'lost', gist: 'Gone.', stream: 'cdef' },
    ],
    [
      'an unknown call',
      entry(1, { kind: 'call', callId: 'abcdef', change: { name: 'unknown', reason: recorded('Left.') } }),
      { mark: 'unknown', label: 'unknown' },
    ],
  ])('%s', (_what, one, line) => {
    expect(describeEntry(one)).toMatchObject(line);
  });

  test('does not parse a big message for one line', () => {
    expect(describeEntry(received({ id: 'a', result: { text: 'x'.repeat(50_000) } })).gist).toBe('50 KB');
  });
});
