import { describe, expect, it } from 'vitest';
import type { Call } from '../log/call.ts';
import { decideFates, decideOldSseFates } from './comeBack.ts';

const call = (name: Call['name']): Call => ({
  id: 'c',
  server: 's',
  tool: 't',
  args: {},
  name,
  startedAt: 0,
  timeoutMs: 1,
  repeatable: false,
  received: 0,
  replayed: 0,
  duplicates: 0,
});

function fate(name: Call['name'], left: { cursor?: string; hasSession?: boolean; namesPositions?: boolean }) {
  const { cursor, hasSession = true, namesPositions = true } = left;
  const streams = new Map([['c', { key: 'c', since: 1, ...(cursor !== undefined && { cursor }) }]]);
  return decideFates({ calls: [call(name)], streams, hasSession, namesPositions })[0];
}

describe('what a reload means for an open call', () => {
  it('follows it when the server has named a position', () => {
    expect(fate('open', { cursor: 'e4' })).toEqual({ name: 'follow', callId: 'c', cursor: 'e4' });
    expect(fate('needs-input', { cursor: 'e4' })).toMatchObject({ name: 'follow' });
  });

  it('does not know, when the page left before the server named a position', () => {
    expect(fate('open', {})).toMatchObject({ name: 'unknown' });
    expect(fate('sending', { namesPositions: false })).toMatchObject({ name: 'unknown' });
  });

  it('says that a server without event ids cannot replay', () => {
    expect(fate('open', { namesPositions: false })).toMatchObject({ name: 'lost' });
  });

  it('does not know, when the server keeps no session', () => {
    expect(fate('open', { hasSession: false, cursor: 'e4' })).toMatchObject({ name: 'unknown' });
  });

  it('leaves ended calls alone', () => {
    for (const name of ['settled', 'cancelled', 'lost', 'unknown', 'expired'] as const) {
      expect(fate(name, {})).toBeUndefined();
    }
  });
});

describe('on the old HTTP+SSE transport', () => {
  it('nothing can be followed, but for tasks', () => {
    const calls = (['sending', 'open', 'needs-input', 'settled'] as const).map((name) => ({
      ...call(name),
      id: name,
    }));
    const task = { ...call('open'), id: 'task', taskId: 't' };
    expect(decideOldSseFates([...calls, task]).map(({ callId, name }) => [callId, name])).toEqual([
      ['sending', 'unknown'],
      ['open', 'lost'],
      ['needs-input', 'lost'],
    ]);
  });
});
