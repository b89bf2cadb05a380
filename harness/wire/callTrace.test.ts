import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMissed, parseAway } from './away.ts';
import { traceCall } from './callTrace.ts';
import { FrameSplitter } from './frames.ts';
import { openCall } from './testing/script.ts';

describe('a call over several page loads', () => {
  it('has each message once, and knows how it came', () => {
    const { script, call } = openCall(2);
    script.progress(call, 3, { delivered: false }).reload();
    const resumed = script.resume('e.2');
    script.progress(resumed, 2).progress(resumed, 3).respond(resumed);
    const { messages, response, lastEventId } = traceCall(script.recording, call);
    expect(messages.map(({ delivery, duplicates, page }) => [delivery, duplicates, page?.load])).toEqual([
      ['live', 0, 1],
      ['live', 1, 1],
      ['replayed', 0, 2],
      ['replayed', 0, 2],
    ]);
    expect(response?.page?.load).toBe(2);
    expect(lastEventId).toBe('e.last');
  });

  it('leaves out what a server replays of other calls', () => {
    const { script, call } = openCall(1);
    script.reload();
    const resumed = script.resume('e.1');
    script
      .progress(resumed, 7, { token: 'other', id: 'x.7' })
      .respond(resumed, 99, { eventId: 'x.8' })
      .respond(resumed);
    const trace = traceCall(script.recording, call);
    expect(trace.messages).toHaveLength(2);
    expect(trace.eventIds.has('x.7')).toBe(false);
  });

  it('takes messages from the standalone stream by their progress token', () => {
    const { script, call } = openCall(0);
    const standalone = script.send({ method: 'GET', headers: script.session() });
    script.progress(standalone, 1, { id: 's.1' });
    expect(traceCall(script.recording, call).messages).toHaveLength(1);
  });

  it('loses and doubles nothing, wherever it is cut', () => {
    const plan = fc.record({
      total: fc.integer({ min: 1, max: 20 }),
      // How many messages each page gets before it is reloaded, and how many the server sends without it.
      loads: fc.array(
        fc.record({ live: fc.integer({ min: 0, max: 5 }), missed: fc.integer({ min: 0, max: 3 }) }),
        { maxLength: 5 },
      ),
    });
    fc.assert(
      fc.property(plan, ({ total, loads }) => {
        const { script, call } = openCall(0);
        let stream = call;
        let received = 0;
        for (const { live, missed } of loads) {
          const until = Math.min(total, received + live);
          for (let n = received + 1; n <= until; n += 1) script.progress(stream, n);
          received = until;
          for (let n = received + 1; n <= Math.min(total, received + missed); n += 1)
            script.progress(stream, n, { delivered: false });
          script.reload();
          stream = script.resume(`e.${received}`);
        }
        for (let n = received + 1; n <= total; n += 1) script.progress(stream, n);
        script.respond(stream);
        const { messages } = traceCall(script.recording, call);
        expect(messages).toHaveLength(total + 1);
        expect(messages.every(({ delivery, duplicates }) => delivery !== 'missed' && duplicates === 0)).toBe(
          true,
        );
        if (loads.length > 0) expect(script.rules(call)).toEqual([]);
      }),
    );
  });
});

describe('how much a page misses', () => {
  it.each([
    ['nothing', { name: 'nothing' }],
    ['two messages', { name: 'messages', count: 2 }],
    ['5 messages', { name: 'messages', count: 5 }],
    ['the response', { name: 'response' }],
    ['2.5 s', { name: 'time', ms: 2500 }],
  ] as const)('%s', (text, absence) => {
    expect(parseAway(text)).toEqual(absence);
  });

  it('rejects what is no amount', () => {
    expect(() => parseAway('a while' as 'nothing')).toThrow('"a while" isn\'t an amount.');
  });

  it('rejects when the call ends too early', () => {
    const { script, call } = openCall(1);
    script.respond(call, 1, { delivered: false });
    const trace = traceCall(script.recording, call);
    expect(() => hasMissed(trace, { name: 'messages', count: 2 })).toThrow(
      'The server sent the response after 1 of 2 messages. Use a longer tool call.',
    );
  });
});

describe('the events of a stream', () => {
  const text =
    ': hello\n\nid: 1\ndata: \n\nretry: 300\nid: 2\ndata: {"method":"a"}\n\nevent: message\r\ndata: {"id":1}\r\n\r\n';

  it('keep their text, however it is divided', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: text.length }), { maxLength: 8 }), (cuts) => {
        const splitter = new FrameSplitter();
        const places = [0, ...[...cuts].sort((a, b) => a - b), text.length];
        const frames = places.slice(1).flatMap((to, at) => splitter.push(text.slice(places[at], to)));
        expect(frames.map((frame) => frame.text).join('') + splitter.rest).toBe(text);
        expect(
          frames.map(({ eventId, message, retryMs }) => [eventId, message?.['method'], retryMs]),
        ).toEqual([
          [undefined, undefined, undefined],
          ['1', undefined, undefined],
          ['2', 'a', 300],
          [undefined, undefined, undefined],
        ]);
      }),
    );
  });
});
