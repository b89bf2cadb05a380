import { describe, expect, it } from 'vitest';
import { testLog } from '../../recorder/testing/testLog.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import { createRecordingFetch } from '../../wire/recordingFetch.ts';
import { Redactor } from '../../wire/redact.ts';
import { ExchangeRouter } from './exchangeRouter.ts';
import { Streams } from '../streams/streams.ts';
import { StillClock } from '../testing/stillClock.ts';

/** A server whose GETs stay open, the streams, and another stream that holds the only place. */
function setUp(whenStaying: () => Promise<void> = () => Promise.resolve()) {
  const clock = new StillClock();
  const budget = new ConnectionBudget(clock);
  budget.places = 1;
  const gets: string[] = [];
  const recording = {
    clock,
    log: testLog(clock),
    redactor: new Redactor(),
    toolOf: () => undefined,
    wire: { awaits: () => false, hasEventIds: true },
  };
  const streams = new Streams({
    log: recording.log,
    clock,
    budget,
    wire: {
      hasSession: true,
      closeCancels: false,
      blocked: undefined,
      openStream: async (stream) => {
        const { signal } = new AbortController();
        const { read } = await fetch('http://s/mcp', {
          method: 'GET',
          headers: new Headers(),
          stream,
          signal,
        });
        void read?.(() => undefined);
      },
      checkSession: () => Promise.resolve({ name: 'alive' }),
    },
    emit: () => undefined,
  });
  const router = new ExchangeRouter(recording, streams);
  const fetch = createRecordingFetch({
    fetch: async (_, init) => {
      gets.push(new Headers(init?.headers).get('last-event-id') ?? 'plain');
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
    },
    now: () => 0,
    listen: (request) => router.listen(request),
    onStream: (listener, handle) => router.attach(listener, handle),
    whenStaying,
  });
  const other = { key: 'other', rank: 'standalone', canYield: () => false, yield: () => undefined } as const;
  return { clock, budget, gets, streams, other };
}

describe('the stream of a new session', () => {
  it('is not sent by a page that is about to be left', async () => {
    let stay: () => void = () => undefined;
    const staying = new Promise<void>((resolve) => (stay = resolve));
    const { clock, gets, streams } = setUp(() => staying);
    streams.listen();
    await clock.to(10);
    expect(gets).toEqual([]);
    stay();
    await clock.to(20);
    expect(gets).toEqual(['plain']);
  });

  it('waits for a free connection, as every other stream does', async () => {
    const { clock, budget, gets, streams, other } = setUp();
    await budget.enter(other);
    streams.listen();
    await clock.to(10_000);
    expect(gets).toEqual([]);
    budget.leave('other');
    await clock.to(10_001);
    expect(gets).toEqual(['plain']);
  });

  it('is made once, with a free connection at once', async () => {
    const { clock, gets, streams } = setUp();
    streams.listen();
    streams.listen();
    await clock.to(1);
    expect(gets).toEqual(['plain']);
  });
});
