import { describe, expect, it } from 'vitest';
import { Redactor } from './redact.ts';

const redactor = new Redactor();
redactor.protect({ bearer: 'token-123456', headers: { 'X-Team': 'blue' } });

describe('the redactor', () => {
  it('hides the token and keeps the scheme', () => {
    const headers = new Headers({ authorization: 'Bearer token-123456', accept: 'text/event-stream' });
    expect(redactor.headers(headers)).toEqual({
      authorization: 'Bearer ‹redacted›',
      accept: 'text/event-stream',
    });
  });

  it('hides headers that a person typed in, and cookies', () => {
    const headers = new Headers({ 'x-team': 'blue', 'set-cookie': 'a=b' });
    expect(redactor.headers(headers)).toEqual({ 'x-team': '‹redacted›', 'set-cookie': '‹redacted›' });
  });

  it('hides a secret that a server repeats in a message', () => {
    expect(redactor.text('{"echo":"token-123456"}')).toBe('{"echo":"‹redacted›"}');
  });

  it('shows only the beginning of a session id', () => {
    const headers = new Headers({ 'mcp-session-id': '0123456789abcdef' });
    expect(redactor.headers(headers)['mcp-session-id']).toBe('01234567…');
  });
});
