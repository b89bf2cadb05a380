import { describe, expect, it } from 'vitest';
import { testLog } from '../../recorder/testing/testLog.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import { createRecordingFetch } from '../../wire/recordingFetch.ts';
import { Redactor } from '../../wire/redact.ts';
import { ExchangeRouter } from './exchangeRouter.ts';
import { Streams } from '../streams/streams.ts';
import { StillClock } from '../testing/stillClock.ts';

/** A server whose GETs stay open, the fetch that the SDK is given, and another stream that holds the only place. */
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
      // As the SDK's `resumeStream` does.
      openStream: async (key) => void (await fetch('http://s/mcp', { headers: { 'last-event-id': key } })),
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
    listen: (method, headers, body) => router.listen(method, headers, body),
    onStream: (listener, handle) => router.attach(listener, handle),
    whenStaying,
  });
  const other = { key: 'other', rank: 'standalone', canYield: () => false, yield: () => undefined } as const;
  return { clock, budget, gets, fetch, other };
}

describe('the GET that the SDK makes after its handshake', () => {
  it('is not sent by a page that is about to be left', async () => {
    let stay: () => void = () => undefined;
    const staying = new Promise<void>((resolve) => (stay = resolve));
    const { clock, gets, fetch } = setUp(() => staying);
    void fetch('http://s/mcp');
    await clock.to(10);
    expect(gets).toEqual([]);
    stay();
    await clock.to(20);
    expect(gets).toEqual(['plain']);
  });

  it('waits for a free connection, as every other stream does', async () => {
    const { clock, budget, gets, fetch, other } = setUp();
    await budget.enter(other);
    // The SDK goes on as with a server that has no standalone stream.
    expect((await fetch('http://s/mcp')).status).toBe(405);
    await clock.to(10_000);
    expect(gets).toEqual([]);
    budget.leave('other');
    await clock.to(10_001);
    expect(gets).toEqual(['plain']);
  });

  it('is made once, with a free connection at once', async () => {
    const { clock, gets, fetch } = setUp();
    await fetch('http://s/mcp');
    await fetch('http://s/mcp');
    await clock.to(1);
    expect(gets).toEqual(['plain']);
  });
});
