import { describe, expect, it } from 'vitest';
import { RULES } from './judge.ts';
import { openCall, Script, SESSION } from './testing/script.ts';

/** Interrupted after three messages, resumed by the new page, and answered there. */
function survivor() {
  const { script, call } = openCall();
  script.progress(call, 4, { delivered: false });
  script.reload();
  const resumed = script.resume('e.3');
  script.progress(resumed, 4).progress(resumed, 5).respond(resumed);
  return { script, call, resumed };
}

describe('a page that does everything right', () => {
  it('breaks no rule', () => {
    const { script, call } = survivor();
    expect(script.rules(call)).toEqual([]);
  });

  it('may resume twice, each time from the last event', () => {
    const { script, call } = openCall();
    script.reload();
    const first = script.resume('e.3');
    script.progress(first, 4).reload();
    const second = script.resume('e.4');
    script.progress(second, 5).respond(second);
    expect(script.rules(call)).toEqual([]);
  });

  it('may start a new session after a 404', () => {
    const { script, call } = openCall();
    script.reload();
    script.send({ method: 'GET', headers: script.session({ 'last-event-id': 'e.3' }), status: 404 });
    script.initialize(9, 'another');
    expect(script.rules(call)).toEqual(['response-delivered']);
  });

  it('may have a second tab with a session of its own', () => {
    const { script, call } = openCall();
    script.reload();
    const { page } = script;
    script.page = { tab: 2, load: 1, line: 2, at: script.at };
    script.initialize('other', 'second');
    script.page = page;
    const resumed = script.resume('e.3');
    script.respond(resumed);
    expect(script.rules(call)).toEqual([]);
  });
});

type Broken = (given: { script: Script }) => unknown;

/** What a page does after a reload in the middle of a call, and the rule that it breaks. */
const ROWS: readonly [string, Broken, readonly string[]][] = [
  [
    'sends initialize again',
    ({ script }) => script.initialize(7, 'another'),
    ['one-session', 'resumes-stream', 'response-delivered'],
  ],
  [
    'calls the tool again and resumes nothing',
    ({ script }) => script.respond(script.call(2), 2),
    ['runs-once', 'resumes-stream', 'response-delivered'],
  ],
  [
    'resumes without the session ID',
    ({ script }) => script.respond(script.resume('e.3', { 'mcp-protocol-version': '2025-11-25' })),
    ['session-header'],
  ],
  [
    'resumes without the protocol version',
    ({ script }) => script.respond(script.resume('e.3', { 'mcp-session-id': SESSION })),
    ['version-header'],
  ],
  [
    'resumes with another protocol version',
    ({ script }) =>
      script.respond(
        script.resume('e.3', { 'mcp-session-id': SESSION, 'mcp-protocol-version': '2025-06-18' }),
      ),
    ['version-header'],
  ],
  [
    'counts request IDs from the beginning',
    ({ script }) => {
      script.send({ headers: script.session(), message: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
      script.respond(script.resume('e.3'));
    },
    ['unique-ids'],
  ],
  ['resumes from an earlier event', ({ script }) => script.respond(script.resume('e.1')), ['last-event']],
  ['resumes nothing', () => undefined, ['resumes-stream', 'response-delivered']],
  [
    'ends the session',
    ({ script }) => script.delete(),
    ['no-delete', 'resumes-stream', 'response-delivered'],
  ],
  [
    'cancels the call',
    ({ script }) => {
      const params = { requestId: 1 };
      script.send({
        headers: script.session(),
        message: { jsonrpc: '2.0', method: 'notifications/cancelled', params },
      });
      script.respond(script.resume('e.3'));
    },
    ['no-cancel'],
  ],
  [
    'goes on with a session that is over',
    ({ script }) => {
      script.send({ method: 'GET', headers: script.session({ 'last-event-id': 'e.3' }), status: 404 });
      script.wait(1500);
      script.send({ method: 'GET', headers: script.session({ 'last-event-id': 'e.3' }), status: 404 });
    },
    ['new-after-404', 'response-delivered'],
  ],
  [
    'sends initialize with the ID of a session that is over',
    ({ script }) => {
      script.send({ method: 'GET', headers: script.session({ 'last-event-id': 'e.3' }), status: 404 });
      const message = { jsonrpc: '2.0', id: 8, method: 'initialize', params: {} };
      script.wait(20).send({ headers: script.session(), message });
    },
    ['new-after-404', 'response-delivered'],
  ],
  [
    'reconnects before the retry time',
    ({ script }) => {
      const resumed = script.resume('e.3');
      script.event(resumed, { retryMs: 500 });
      script.progress(resumed, 4);
      resumed.end = { at: script.at, by: 'server' };
      script.respond(script.resume('e.4'));
    },
    ['retry-delay'],
  ],
  [
    'answers a request of the server twice',
    ({ script }) => {
      const resumed = script.resume('e.3');
      script.event(resumed, {
        message: { jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params: {} },
      });
      const message = { jsonrpc: '2.0', id: 's1', result: {} };
      script.send({ headers: script.session(), message });
      script.send({ headers: script.session(), message });
      script.respond(resumed);
    },
    ['answers-once'],
  ],
  [
    'leaves a ping without a response',
    ({ script }) => {
      const resumed = script.resume('e.3');
      script.event(resumed, { message: { jsonrpc: '2.0', id: 'p1', method: 'ping' } });
      script.wait(3000).respond(resumed);
    },
    ['answers-ping'],
  ],
  [
    'puts a token into the URL',
    ({ script }) => {
      script.send({
        headers: script.session(),
        message: { jsonrpc: '2.0', method: 'notifications/x' },
        url: 'http://a.test/mcp?access_token=x',
      });
      script.respond(script.resume('e.3'));
    },
    ['no-token-in-url'],
  ],
];

describe('a page that', () => {
  it.each(ROWS)('%s', (_what, act, rules) => {
    const { script, call } = openCall();
    script.reload();
    act({ script });
    expect(script.rules(call)).toEqual(rules);
  });

  it('forgets the task of a call', () => {
    const { script, call } = taskCall();
    script.reload();
    expect(script.rules(call)).toEqual(['task-kept', 'response-delivered']);
  });

  it('keeps the task of a call breaks no rule', () => {
    const { script, call } = taskCall();
    script.reload();
    const message = { jsonrpc: '2.0', id: 9, method: 'tasks/result', params: { taskId: 't1' } };
    const polled = script.send({ headers: script.session(), message });
    script.event(polled, { message: { jsonrpc: '2.0', id: 9, result: { content: [] } } });
    expect(script.rules(call)).toEqual([]);
  });

  it('sends 2026-07-28 without its headers', () => {
    const script = new Script();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const params = { name: 'report', arguments: {}, _meta };
    const call = script.send({
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
      message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    script.reload();
    expect(script.rules(call)).toEqual(['request-headers', 'response-delivered']);
  });
});

function taskCall() {
  const script = new Script();
  script.initialize();
  const call = script.call();
  script.event(call, {
    message: { jsonrpc: '2.0', id: 1, result: { task: { taskId: 't1', status: 'working' } } },
  });
  return { script, call };
}

describe('what is no fault of the page', () => {
  it('a HEAD request that looks whether the server is there', () => {
    const { script, call } = openCall();
    script.reload();
    script.send({ method: 'HEAD', status: 405 });
    script.respond(script.resume('e.3'));
    expect(script.rules(call)).toEqual([]);
  });

  it('an event ID that came on another stream, and is newer', () => {
    const { script, call } = openCall();
    for (const number of [4, 5]) script.progress(call, number, { delivered: false });
    script.reload();
    const standalone = script.send({ method: 'GET', headers: script.session() });
    script.progress(standalone, 4).progress(standalone, 5).reload();
    script.respond(script.resume('e.5'));
    expect(script.rules(call)).toEqual([]);
  });

  it('a POST that the browser repeats, because it got no head', () => {
    const script = new Script();
    script.initialize();
    const call = script.call();
    call.status = 0;
    call.end = { at: script.at + 3, by: 'wire' };
    script.reload('offline');
    const again = script.call();
    script.respond(again);
    const [finding] = script.judge(call);
    expect(finding?.rule).toBe('runs-once');
    expect(finding?.received).toContain('the browser sent the same POST again');
  });

  it('a second call that the test has claimed', () => {
    const { script, call } = survivor();
    const second = script.call(2);
    script.respond(second, 2);
    expect(script.rules(call, [call, second])).toEqual([]);
  });

  it('a server without event IDs, which is named as the reason', () => {
    const script = new Script();
    script.initialize();
    const call = script.call();
    const params = { progressToken: 1, progress: 1 };
    script.event(call, { message: { jsonrpc: '2.0', method: 'notifications/progress', params } });
    script.reload();
    const [finding, ...others] = script.judge(call);
    expect(others).toEqual([]);
    expect(finding?.received).toContain('The server sends no event IDs, so no page can resume this call');
  });
});

it('every rule has a level, and all but one have a clause', () => {
  const bare = Object.entries(RULES).filter(([, { clause }]) => clause === undefined);
  expect(bare.map(([name]) => name)).toEqual(['response-delivered']);
});
