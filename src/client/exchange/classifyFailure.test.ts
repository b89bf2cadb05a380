import { describe, expect, it } from 'vitest';
import { classifyFailure, type FailedRequest, type Verdict } from './classifyFailure.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { fixText } from '../../log/reasons/stateText.ts';

interface Row {
  readonly title: string;
  readonly status: number;
  readonly request: FailedRequest;
  readonly body?: string;
  readonly hasSession?: boolean;
  readonly attempt?: number;
  readonly verdict: Verdict['name'];
  readonly says?: RegExp;
}

const ROWS: readonly Row[] = [
  {
    title: '404 on a known session: the server forgot it',
    status: 404,
    request: 'post',
    verdict: 'session-gone',
  },
  { title: '404 on a ping', status: 404, request: 'ping', verdict: 'session-gone' },
  {
    title: '404 without a session is a refusal',
    status: 404,
    request: 'post',
    hasSession: false,
    verdict: 'refused',
  },
  {
    title: '400 "not initialized" on a known session',
    status: 400,
    request: 'post',
    body: 'Bad Request: Server not initialized',
    verdict: 'session-gone',
  },
  {
    title: '400 "No valid session ID"',
    status: 400,
    request: 'post',
    body: '{"error":{"message":"No valid session ID provided"}}',
    verdict: 'session-gone',
  },
  {
    title: '400 on a ping says that the session is gone, whatever its words',
    status: 400,
    request: 'ping',
    verdict: 'session-gone',
  },
  {
    title: '400 with other words is a refusal',
    status: 400,
    request: 'post',
    body: 'Parse error',
    verdict: 'refused',
    says: /Parse error/,
  },
  { title: '503: first patience', status: 503, request: 'post', attempt: 1, verdict: 'retry' },
  {
    title: '503 again and again: the session is behind it',
    status: 503,
    request: 'post',
    attempt: 4,
    verdict: 'session-gone',
  },
  { title: '429 asks for patience', status: 429, request: 'post', verdict: 'retry' },
  {
    title: 'a refused GET is the matter of the stream machine',
    status: 409,
    request: 'stream',
    verdict: 'check-session',
  },
  { title: '401 asks for authorization', status: 401, request: 'initialize', verdict: 'unauthorized' },
  {
    title: '403 of a bridge that has another token',
    status: 403,
    request: 'ping',
    body: '{"error":{"message":"Forbidden: the token of this bridge is missing or wrong."}}',
    verdict: 'unauthorized',
    says: /The bridge rejected the token/,
  },
  { title: '403 forbids', status: 403, request: 'post', verdict: 'unauthorized' },
  {
    title: 'a handshake that succeeds without a readable session id',
    status: 400,
    request: 'initialized',
    hasSession: false,
    verdict: 'refused',
    says: /Access-Control-Expose-Headers: Mcp-Session-Id/,
  },
  {
    title: 'a web page instead of a server',
    status: 200,
    request: 'initialize',
    body: '<!doctype html>',
    hasSession: false,
    verdict: 'refused',
    says: /not with MCP/,
  },
  {
    title: 'a wrong path',
    status: 404,
    request: 'initialize',
    hasSession: false,
    verdict: 'refused',
    says: /\/mcp/,
  },
  {
    title: 'a redirect elsewhere',
    status: 0,
    request: 'initialize',
    hasSession: false,
    verdict: 'refused',
    says: /redirects/,
  },
  {
    title: 'a server that is not up yet',
    status: 502,
    request: 'initialize',
    hasSession: false,
    verdict: 'retry',
  },
];

describe('classifyFailure', () => {
  it.each(ROWS)('$title', ({ status, request, body = '', hasSession = true, attempt = 1, verdict, says }) => {
    const outcome = { kind: 'status', status, body } as const;
    const decided = classifyFailure(outcome, { request, hasSession, attempt });
    expect(decided.name).toBe(verdict);
    if (says) expect(`${reasonText(decided.reason)} ${fixText(decided)}`).toMatch(says);
  });

  it('leaves it to the doctor when there was no answer at all', () => {
    const outcome = { kind: 'threw', why: 'Failed to fetch' } as const;
    expect(classifyFailure(outcome, { request: 'post', hasSession: true, attempt: 1 }).name).toBe(
      'no-answer',
    );
  });

  it('never repeats the HTML of an error page', () => {
    const outcome = { kind: 'status', status: 404, body: '<html><b>no</b></html>' } as const;
    expect(
      JSON.stringify(classifyFailure(outcome, { request: 'initialize', hasSession: false, attempt: 1 })),
    ).not.toContain('<');
  });
});
