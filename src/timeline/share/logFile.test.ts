import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../log/entry/entry.ts';
import { reloadedCall } from '../testing/logOf.ts';
import { JsonItems } from './jsonItems.ts';
import { printLogFile, type ShareOptions } from './logFile.ts';
import { readLogFile } from './readLogFile.ts';

const INFO = { server: 'demo', url: 'http://127.0.0.1:3000/mcp', exportedAt: 1 };

async function* inPieces<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function print(entries: readonly Entry[], options?: ShareOptions): Promise<string> {
  let text = '';
  for await (const piece of printLogFile(INFO, inPieces([entries.slice(0, 7), entries.slice(7)]), options))
    text += piece;
  return text;
}

async function read(text: string, pieceChars = 50) {
  const pieces = text.match(new RegExp(`[^]{1,${pieceChars}}`, 'g')) ?? [];
  const reading = readLogFile(inPieces(pieces));
  const entries: Entry[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done) return { entries, info: next.value };
    entries.push(...next.value);
  }
}

test('what is exported is imported as it was', async () => {
  const text = await print(reloadedCall);
  expect(await read(text)).toEqual({
    entries: reloadedCall,
    info: { server: 'demo', url: INFO.url, skipped: 0 },
  });
  expect(JSON.parse(text)).toMatchObject({ format: 'reprise-log', entries: { length: reloadedCall.length } });
  expect(text.indexOf('leftOut')).toBeLessThan(text.indexOf('"entries"'));
});

test('another program may have written it more prettily', async () => {
  const pretty = JSON.stringify(JSON.parse(await print(reloadedCall)), undefined, 2);
  expect((await read(pretty)).entries).toEqual(reloadedCall);
});

test('without content, nothing that a message says is left', async () => {
  const text = await print(reloadedCall, { withoutContent: true });
  expect(text).toContain('notifications/progress');
  expect(text).not.toMatch(/Zürich|"ticks"|Go on\?/);
  expect((await read(text)).entries).toHaveLength(reloadedCall.length);
});

test('the items of a list are the same, however the document is cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.dictionary(
          fc.string(),
          fc.json().map((text): unknown => JSON.parse(text)),
        ),
      ),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.integer({ min: 1, max: 9 }),
      (entries, around, size) => {
        const { entries: _, ...rest } = { ...around, entries: 0 };
        const text = JSON.stringify({ ...rest, entries, after: [1, { a: 2 }] }, undefined, size % 3);
        const reader = new JsonItems('entries');
        const items: string[] = [];
        for (let i = 0; i < text.length; i += size) items.push(...reader.feed(text.slice(i, i + size)));
        expect(items.map((item): unknown => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(entries)));
        expect(reader.end()).toBe(true);
        expect(JSON.parse(reader.head)).toEqual({
          ...(JSON.parse(JSON.stringify(rest)) as object),
          entries: [],
        });
      },
    ),
  );
});

test('one odd entry costs only itself, and is counted', async () => {
  const note = { seq: 1, at: 1, load: 1, kind: 'note', level: 'info', text: 'x' };
  const odd = { ...note, seq: 2, kind: 'call', callId: 'c', change: { name: 'ended', why: 'x' } };
  const entries = [note, odd, { ...note, seq: 3, at: 9e15 }, { ...note, seq: 4 }];
  const found = await read(JSON.stringify({ format: 'reprise-log', version: 3, entries }));
  expect(found.entries.map(({ seq }) => seq)).toEqual([1, 4]);
  expect(found.info.skipped).toBe(2);
});

describe('says in words what is wrong with a file', () => {
  const file = (change: object) =>
    JSON.stringify({ format: 'reprise-log', version: 2, entries: [], ...change });
  const note = { seq: 1, at: 1, load: 1, kind: 'note', level: 'info', text: 'x' };

  test.each([
    ['', /Not a Reprise log/],
    ['<html>', /Not a Reprise log/],
    ['{"log":{"version":"1.2","entries":[]}}', /Not a Reprise log/],
    ['{"entries":[{"a":1}]}', /Not a Reprise log/],
    [file({ version: 99 }), /newer version of Reprise \(format 99/],
    [file({ entries: [note] }).slice(0, -30), /ends after entry/],
    ['{"format":"reprise-log","version":2,', /incomplete/],
    [file({ entries: [{ ...note, kind: 'spell' }] }), /unknown kind “spell”/],
    [file({ entries: [{ ...note, level: 7 }] }), /“level” is missing or isn’t one of/],
    [file({ entries: [note, note] }), /out of order/],
    [
      file({ entries: [{ ...note, kind: 'state', state: { name: 'reconnecting', why: 'x' } }] }),
      /“state” is missing or isn’t one of/,
    ],
    [file({ entries: [{ ...note, kind: '__proto__' }] }), /unknown kind/],
    [file({ entries: [{ ...note, at: null }] }), /“at” is missing/],
  ])('%s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
