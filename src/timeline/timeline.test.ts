import { describe, expect, test } from 'vitest';
import type { Entry, EntryBody } from '../log/entry.ts';
import { describeEntry } from './entryLine.ts';
import { EntryWindow } from './entryWindow.ts';
import { parseFilter } from './filter.ts';
import { FilteredEntries } from './filteredEntries.ts';

const entry = (seq: number, body: EntryBody): Entry => ({ seq, at: seq * 10, load: 1, ...body });
const note = (seq: number): Entry => entry(seq, { kind: 'note', level: 'info', text: `note ${seq}` });
const notes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => note(from + i));
const received = (message: object, more: object = {}): Entry =>
  entry(1, {
    kind: 'received',
    stream: '01JABCDEFGHJKMNPQRSTVWXYZ0',
    raw: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...('method' in message && { method: String(message.method) }),
    ...more,
  });

describe('EntryWindow', () => {
  test('joins older and newer entries without showing any twice', () => {
    const all = new EntryWindow(notes(3, 12), notes(10, 20));
    expect(all.length).toBe(18);
    expect(all.slice(0, 100).map(({ seq }) => seq)).toEqual(notes(3, 20).map(({ seq }) => seq));
  });

  test('finds an entry by its number, or the next one', () => {
    const all = new EntryWindow(notes(3, 9), notes(15, 20));
    expect([1, 3, 9, 10, 15, 20, 21].map((seq) => all.indexOf(seq))).toEqual([0, 0, 6, 7, 7, 12, 13]);
  });

  test('is empty over nothing', () => {
    expect(new EntryWindow([], []).slice(0, 10)).toEqual([]);
  });
});

describe('FilteredEntries', () => {
  const drain = (filtered: FilteredEntries, all: EntryWindow) => {
    let rounds = 1;
    while (filtered.advance(all)) rounds += 1;
    return rounds;
  };

  test('looks through a long log in slices, and at new entries only once', () => {
    const filtered = new FilteredEntries('s', parseFilter('"note 15"'));
    expect(drain(filtered, new EntryWindow([], notes(1, 3500)))).toBe(18);
    expect(filtered.window.length).toBe(111);
    drain(filtered, new EntryWindow([], notes(1, 15_000)));
    expect(filtered.window.slice(-1, Infinity).at(-1)?.seq).toBe(15_000);
  });

  test('forgets what has left the window', () => {
    const filtered = new FilteredEntries('s', parseFilter('kind:note'));
    drain(filtered, new EntryWindow([], notes(1, 20)));
    drain(filtered, new EntryWindow([], notes(11, 30)));
    expect(filtered.window.slice(0, 99).map(({ seq }) => seq)).toEqual(notes(11, 30).map(({ seq }) => seq));
  });
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
        change: { name: 'lost', why: 'Gone.' },
      }),
      { mark: 'lost', label: 'lost', gist: 'Gone.', stream: 'cdef' },
    ],
    [
      'an unknown call',
      entry(1, { kind: 'call', callId: 'abcdef', change: { name: 'unknown', why: 'Left.' } }),
      { mark: 'unknown', label: 'unknown' },
    ],
  ])('%s', (_what, one, line) => {
    expect(describeEntry(one)).toMatchObject(line);
  });

  test('does not parse a big message for one line', () => {
    expect(describeEntry(received({ id: 'a', result: { text: 'x'.repeat(50_000) } })).gist).toBe('50 KB');
  });
});
