import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { testLog } from '../../recorder/testing/testLog.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import { Redactor } from '../../wire/redact.ts';
import { statusOfGet } from './statusOfGet.ts';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

function ask(fetch: Fetch, given: { clock?: Clock; token?: string } = {}) {
  const log = testLog(clock);
  const options = { log, redactor: new Redactor(), clock, url: 'http://a.example/mcp', fetch };
  const status = statusOfGet({ ...options, token: undefined, headers: { 'x-key': 'k' }, ...given }, 1000);
  return { log, status };
}

describe('a GET without a session ID', () => {
  it('has the credentials, and neither a session ID nor a protocol version', async () => {
    const sent: RequestInit[] = [];
    const fetch: Fetch = (_, init = {}) => {
      sent.push(init);
      return Promise.resolve(new Response(null, { status: 405 }));
    };
    expect(await ask(fetch, { token: 't' }).status).toBe(405);
    expect(Object.fromEntries(new Headers(sent[0]?.headers))).toEqual({
      accept: 'text/event-stream',
      authorization: 'Bearer t',
      'x-key': 'k',
    });
  });

  it('lets go of a stream, and records that', async () => {
    let signal: AbortSignal | null | undefined;
    const { log, status } = ask((_, init) => {
      signal = init?.signal;
      const headers = { 'content-type': 'text/event-stream' };
      return Promise.resolve(new Response(new ReadableStream(), { headers }));
    });
    expect(await status).toBe(200);
    expect(signal?.aborted).toBe(true);
    await log.folded();
    expect(log.tail.map(({ kind }) => kind)).toEqual(['http', 'stream-end']);
  });

  it.each([
    ['can’t be read', clock],
    ['doesn’t come', { ...clock, after: (_: number, run: () => void) => (run(), () => undefined) }],
  ])('has no status where the response %s', async (_, given) => {
    const fetch: Fetch = (_url, init) =>
      new Promise((__, reject) => {
        if (given === clock || init?.signal?.aborted === true) reject(new TypeError('Failed to fetch'));
      });
    expect(await ask(fetch, { clock: given }).status).toBeUndefined();
  });
});
