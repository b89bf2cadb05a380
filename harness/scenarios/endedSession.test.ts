import { describe, expect, it } from 'vitest';
import { faultIn } from './endedSession.ts';

describe('the response to a request of an ended session', () => {
  it('is right as a plain 404', () => {
    expect(faultIn(new Response(null, { status: 404 }))).toBeUndefined();
  });

  it('that offers a new session is reported, because clients must initialize anyway', () => {
    const headers = { 'mcp-session-id': 'fresh' };
    expect(faultIn(new Response(null, { status: 404, headers }))?.why).toContain(
      'contains a new session ID, but clients must initialize anyway',
    );
  });

  it('is wrong with any other status', () => {
    expect(faultIn(new Response(null, { status: 400 }))?.why).toContain('400 instead of 404');
    expect(faultIn(new Response(null, { status: 200 }))?.why).toContain('still responds');
  });
});
