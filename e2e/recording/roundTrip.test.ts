import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/log/entry/entry.ts';
import { ServerReducer } from '../../src/log/state/serverReducer.ts';
import type { ServerStateSnapshot } from '../../src/log/state/mutableServerState.ts';
import { foldStored } from '../../src/log/log.ts';
import { reasonCodeOf } from '../../src/log/entry/entryKinds.ts';
import { recorded } from '../../src/log/reasons/reason.ts';
import { describeEntry } from '../../src/timeline/entryLine.ts';
import { LogIndex } from '../../src/timeline/logIndex.ts';
import { printLogFile, type ShareOptions } from '../../src/timeline/share/logFile.ts';
import { readLogFile } from '../../src/timeline/share/readLogFile.ts';
import { exchangeRows } from '../../src/timeline/story/exchangeRows.ts';
import { PROFILES } from '../../targets/profiles/index.ts';
import { entriesOf, recordedLog, recordedText } from './recordedLog.ts';
import { recordProfile } from './recordProfile.ts';

const NAMES = PROFILES.map(({ name }) => name);

async function* once<T>(item: T): AsyncGenerator<T> {
  yield item;
}

async function exported(entries: readonly Entry[], options?: ShareOptions): Promise<string> {
  let text = '';
  const info = { server: 'recorded', url: 'http://127.0.0.1:3000/mcp', exportedAt: 0 };
  for await (const piece of printLogFile(info, once(entries), options)) text += piece;
  return text;
}

async function imported(text: string): Promise<{ entries: readonly Entry[]; skipped: number }> {
  const reading = readLogFile(once(text));
  const entries: Entry[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done) return { entries, skipped: next.value.skipped };
    entries.push(...next.value);
  }
}

function foldOf(entries: readonly Entry[]): ServerStateSnapshot {
  const state = new ServerReducer('s');
  foldStored(state, entries);
  return state.snapshot();
}

/** Every lane with its bars, and what is drawn of every entry. */
function timelineOf(entries: readonly Entry[]): unknown {
  const index = new LogIndex();
  index.add(entries);
  return {
    rows: exchangeRows(index.exchanges),
    loads: index.exchanges.loads,
    carriages: index.exchanges.carriages,
    marks: entries.map((_, i) => [index.timeAt(i), index.shapeAt(i)]),
  };
}

test('each target has a recorded log', async () => {
  const files = await readdir('e2e/recording/logs');
  expect(files, 'Record it: npm run record -- <profile>').toEqual(
    expect.arrayContaining(NAMES.map((name) => `${name}.json`)),
  );
});

describe('a recorded log', () => {
  test.each(NAMES)('of %s is imported as it was exported: entries, timeline and calls', async (name) => {
    const entries = await recordedLog(name);
    const { entries: back, skipped } = await imported(await exported(entries));
    expect(skipped).toBe(0);
    expect(back).toEqual(entries);
    expect(timelineOf(back)).toEqual(timelineOf(entries));
    expect(foldOf(back)).toEqual(foldOf(entries));
  });

  test.each(NAMES)('of %s is imported without its content too', async (name) => {
    const entries = await recordedLog(name);
    const { entries: back, skipped } = await imported(await exported(entries, { withoutContent: true }));
    expect(skipped).toBe(0);
    expect(back.map(({ seq, at, load, kind }) => ({ seq, at, load, kind }))).toEqual(
      entries.map(({ seq, at, load, kind }) => ({ seq, at, load, kind })),
    );
    expect(back.map(reasonCodeOf)).toEqual(entries.map(reasonCodeOf));
  });

  test.each(NAMES)('of %s shows the sentences that it was stored with', async (name) => {
    const text = await recordedText(name);
    const stored = JSON.parse(text) as { entries: readonly { kind: string; text?: string }[] };
    const notes = stored.entries.flatMap(({ kind, text: said }) => (kind === 'note' ? [said] : []));
    const shown = entriesOf(text).filter(({ kind }) => kind === 'note');
    expect(shown.map((entry) => describeEntry(entry).gist)).toEqual(notes);
  });

  test('that the client records now makes the same round trip', async () => {
    const { entries } = await recordProfile('resumable');
    expect(entries.map(({ kind }) => kind)).toContain('question');
    expect((await imported(await exported(entries))).entries).toEqual(entries);
  });

  test('is there for every kind of entry and every change that a story can show', async () => {
    const logs = await Promise.all(NAMES.map(recordedLog));
    const seen = new Set(logs.flat().map(labelOf));
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'load opened',
        'load took over',
        ...['connecting', 'connected', 'reconnecting', 'disconnected', 'failed', 'authorizing'].map(
          (name) => `state ${name}`,
        ),
        ...['sending', 'open', 'background', 'retrying', 'cancelled', 'lost'].map((name) => `call ${name}`),
        ...['answering', 'answered', 'expired'].map((name) => `question ${name}`),
        ...['session', 'era', 'sent', 'received', 'position', 'duplicate', 'http', 'auth', 'note'],
        ...['answered', 'broken', 'refused'].map((how) => `stream-end ${how}`),
      ]),
    );
  });
});

function labelOf(entry: Entry): string {
  switch (entry.kind) {
    case 'load':
      return `load ${entry.reason}`;
    case 'state':
      return `state ${entry.state.name}`;
    case 'call':
    case 'question':
      return `${entry.kind} ${entry.change.name}`;
    case 'stream-end':
      return `stream-end ${entry.how}`;
    default:
      return entry.kind;
  }
}

describe('an export of an earlier build', () => {
  test.each([
    ['2, before any was released', 'earlier-2'],
    ['3, as it was at first', 'earlier-3'],
  ])('with version %s is read whole, and means the same', async (_, name) => {
    const text = await recordedText(name);
    const { entries, skipped } = await imported(text);
    expect(skipped).toBe(0);
    expect(entries).toEqual(entriesOf(text));
    expect(foldOf(entries)).toMatchObject({
      calls: [
        { tool: 'countdown', name: 'settled', resultSeq: expect.any(Number) },
        { tool: 'ask', name: 'settled' },
        { tool: 'ask', name: 'cancelled' },
        { tool: 'crash', name: 'settled', error: { code: -32050 } },
      ],
      questions: [],
    });
    const index = new LogIndex();
    index.add(entries);
    expect([...index.exchanges.calls.values()].map(({ end }) => end)).toEqual([
      'done',
      'done',
      'cancelled',
      'failed',
    ]);
    expect(index.exchanges.questions.map(({ end }) => end)).toEqual(['done', 'expired']);
  });

  test('with version 2 is upgraded entry by entry', async () => {
    const state = { name: 'authorizing', why: 'This server requires a login.' };
    const entry = { seq: 1, at: 1, load: 1, kind: 'state', state };
    const text = JSON.stringify({ format: 'reprise-log', version: 2, entries: [entry] });
    expect(await imported(text)).toEqual({
      skipped: 0,
      entries: [{ ...entry, state: { name: 'authorizing', ask: 'login', reason: recorded(state.why) } }],
    });
  });
});
