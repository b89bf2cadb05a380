import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../log/publicEntry.ts';
import { parseFilter } from './filter.ts';

const entry: LogEntry & { method: string } = {
  seq: 4,
  at: 0,
  load: 2,
  server: 's',
  kind: 'received',
  stream: 'standalone',
  callId: 'C1',
  replayed: true,
  method: 'notifications/progress',
  message: { jsonrpc: '2.0', method: 'notifications/progress', params: { message: 'Half way' } },
};

describe('the filter', () => {
  it.each([
    ['', true],
    ['kind:received', true],
    ['kind:sent', false],
    ['method:progress', true],
    ['call:c1 load:2', true],
    ['call:c1 load:1', false],
    ['replayed:true', true],
    ['replayed:false', false],
    ['"half way"', true],
    ['half -missing', true],
    ['-half', false],
    ['-kind:sent', true],
  ])('%s → %s', (text, expected) => {
    expect(parseFilter(text)(entry)).toBe(expected);
  });

  it('counts what was not replayed as replayed:false', () => {
    const { replayed: _, ...live } = entry;
    expect(parseFilter('replayed:false')(live)).toBe(true);
  });

  it('says which keys there are when one is unknown', () => {
    expect(() => parseFilter('colour:red')).toThrow(/“colour:” is not a key.*kind:/);
  });
});
