import { describe, expect, it } from 'vitest';
import { judgeCors, type CorsAnswers } from './judgeCors.ts';

const ORIGIN = 'http://localhost:4173';
const PREFLIGHT = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Content-Type, Mcp-Session-Id, Authorization',
};
const ACTUAL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Mcp-Session-Id' };

function judge(preflight: object, actual: object, more: Partial<CorsAnswers> = {}, status = 204): string[] {
  return judgeCors({
    origin: ORIGIN,
    needed: ['content-type', 'mcp-session-id', 'authorization'],
    era: 'session',
    hasSession: true,
    preflight: { status, headers: new Headers({ ...preflight }) },
    actual: { status: 200, headers: new Headers({ ...actual }) },
    ...more,
  }).map(({ add }) => add);
}

describe('judgeCors', () => {
  it('finds nothing where a page may do everything', () => {
    expect(judge(PREFLIGHT, ACTUAL)).toEqual([]);
  });
  it('asks for no DELETE where there are no sessions to end', () => {
    const preflight = { ...PREFLIGHT, 'access-control-allow-methods': 'POST' };
    expect(judge(preflight, ACTUAL, { era: 'stateless', hasSession: false })).toEqual([]);
    expect(judge(preflight, ACTUAL)).toHaveLength(1);
  });
  it('names every header of a server that has none', () => {
    const found = judge({}, {}, {}, 405).join('\n');
    for (const name of ['OPTIONS', 'Allow-Origin', 'Allow-Methods', 'Allow-Headers', 'Expose-Headers']) {
      expect(found).toContain(name);
    }
  });
  it.each([
    [
      'another origin',
      { ...PREFLIGHT, 'access-control-allow-origin': 'http://other' },
      ACTUAL,
      'Allow-Origin',
    ],
    ['an answer without it', PREFLIGHT, { ...ACTUAL, 'access-control-allow-origin': '' }, 'Allow-Origin'],
    ['no DELETE', { ...PREFLIGHT, 'access-control-allow-methods': 'POST' }, ACTUAL, 'Allow-Methods'],
    [
      'a header too few',
      { ...PREFLIGHT, 'access-control-allow-headers': 'content-type' },
      ACTUAL,
      'Allow-Headers',
    ],
    [
      'a star, which does not stand for authorization',
      { ...PREFLIGHT, 'access-control-allow-headers': '*' },
      ACTUAL,
      'Allow-Headers',
    ],
    ['a hidden session', PREFLIGHT, { 'access-control-allow-origin': '*' }, 'Expose-Headers'],
  ])('%s', (_name, preflight, actual, header) => {
    expect(judge(preflight, actual)).toEqual([expect.stringContaining(header)]);
  });
  it('does not ask a server without sessions to show one', () => {
    expect(judge(PREFLIGHT, { 'access-control-allow-origin': '*' }, { hasSession: false })).toEqual([]);
  });
});
