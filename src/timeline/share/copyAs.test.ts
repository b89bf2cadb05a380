import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reloadedCall } from '../testing/logOf.ts';
import { pastRequest, copyAs, requestOf, shellQuote } from './copyAs.ts';

const find = (seq: number) => reloadedCall.find((one) => one.seq === seq);
const http = find(10);
const sent = find(9);
if (http?.kind !== 'http' || sent?.kind !== 'sent') throw new Error('The log has a call.');
const request = requestOf(
  {
    ...http,
    requestHeaders: { ...http.requestHeaders, 'mcp-session-id': 'abcd1234…', 'x-key': '‹redacted›' },
  },
  sent,
  'http://elsewhere',
);

test('a shell reads what was quoted', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
      (text) => {
        expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`]).toString()).toBe(text);
      },
    ),
    { numRuns: 20 },
  );
});

test('as curl, with placeholders for secrets', () => {
  expect(copyAs('curl', request)).toBe(
    [
      "curl -N -X POST 'http://127.0.0.1:3000/mcp'",
      "-H 'content-type: application/json'",
      "-H 'authorization: Bearer YOUR_TOKEN'",
      "-H 'mcp-session-id: YOUR_SESSION_ID'",
      "-H 'x-key: YOUR_X_KEY'",
      `--data-raw '${sent.raw}'`,
    ].join(' \\\n  '),
  );
});

test('a key of the server URL is a placeholder too', () => {
  const url = 'http://127.0.0.1:3000/mcp?a=b&api_key=KEY-IN-URL-42';
  const shown = 'http://127.0.0.1:3000/mcp?a=b&api_key=YOUR_API_KEY';
  expect(requestOf(undefined, sent, url).url).toBe(shown);
  const recorded = { ...http, url: 'http://127.0.0.1:3000/mcp?a=b&api_key=‹redacted›' };
  expect(requestOf(recorded, sent, '').url).toBe(shown);
});

test('a GET has no body', () => {
  expect(copyAs('curl', requestOf({ ...http, method: 'GET' }, sent, ''))).not.toContain('--data-raw');
});

test('as fetch, which is a program that sends the same', async () => {
  const sentTo: unknown[] = [];
  const AsyncFunction = (async () => undefined).constructor as new (
    ...args: string[]
  ) => (fetch: (...args: unknown[]) => Promise<void>) => Promise<void>;
  await new AsyncFunction('fetch', copyAs('fetch', request))(async (...args) => {
    sentTo.push(...args);
  });
  expect(sentTo).toEqual([
    'http://127.0.0.1:3000/mcp',
    { method: 'POST', headers: request.headers, body: sent.raw },
  ]);
});

test('as SDK code and as JSON-RPC', () => {
  const code = copyAs('sdk', request);
  expect(code).toContain(
    'await client.callTool({\n  "name": "countdown",\n  "arguments": {\n    "ticks": 3\n  }\n})',
  );
  expect(code).toContain('authorization: "Bearer YOUR_TOKEN"');
  expect(JSON.parse(copyAs('json-rpc', request))).toEqual(JSON.parse(sent.raw));
  const ping = { ...sent, method: 'initialize', raw: '{"jsonrpc":"2.0","id":"1","method":"initialize"}' };
  expect(copyAs('sdk', requestOf(http, ping, ''))).toContain('The SDK sends “initialize” by itself.');
});

test('a state of the server, and the answers that went with it, are not sent again', () => {
  const params = { name: 't', arguments: {}, requestState: 's', inputResponses: { k: {} }, _meta: {} };
  const retry = { ...sent, raw: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'tools/call', params }) };
  expect(pastRequest(retry)?.params).toEqual({ name: 't', arguments: {} });
});

test('what could be sent again is found in a call, in its request, and nowhere else', () => {
  const call = { method: 'tools/call', params: { name: 'countdown', arguments: { ticks: 3 } } };
  const list = { method: 'tools/list', params: {} };
  expect([3, 8, 9, 10, 11, 21].map((seq) => pastRequest(find(seq) ?? sent))).toEqual([
    list,
    call,
    call,
    undefined,
    undefined,
    undefined,
  ]);
});
