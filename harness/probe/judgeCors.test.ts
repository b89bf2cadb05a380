import { describe, expect, it } from 'vitest';
import { neededHeaders } from './cors.ts';
import { judgeCors, type CorsAnswers } from './judgeCors.ts';

const ORIGIN = 'http://localhost:4173';
const PREFLIGHT = {
  'access-control-allow-origin': ORIGIN,
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Content-Type, Mcp-Session-Id, Authorization',
};
const ACTUAL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Mcp-Session-Id' };

function judge(
  preflight: object,
  actual: object,
  more: Partial<CorsAnswers> = {},
  status = 204,
  alone: readonly string[] = [],
): string[] {
  const answers = {
    origin: ORIGIN,
    needed: ['content-type', 'mcp-session-id', 'authorization'],
    hasSession: true,
    preflight: { status, headers: new Headers({ ...preflight }) },
    actual: { status: 200, headers: new Headers({ ...actual }) },
    ...more,
  };
  return judgeCors(answers, (name) => alone.includes(name)).map(({ why, add }) => `${why} ${add}`);
}

describe('judgeCors', () => {
  it('finds nothing where a page may do everything', () => {
    expect(judge(PREFLIGHT, ACTUAL)).toEqual([]);
  });
  it('asks for no DELETE where there are no sessions to end', () => {
    const preflight = { ...PREFLIGHT, 'access-control-allow-methods': 'POST' };
    expect(judge(preflight, ACTUAL, { hasSession: false })).toEqual([]);
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
  it('blames the header that is not allowed by itself, and not those that were refused along with it', () => {
    const nothing = { ...PREFLIGHT, 'access-control-allow-headers': '' };
    const [problem, ...others] = judge(nothing, ACTUAL, {}, 204, ['content-type', 'authorization']);
    expect(problem).toContain('Headers not allowed: mcp-session-id.');
    expect(others).toEqual([]);
  });
  it('says once that an origin is rejected', () => {
    const actual = { status: 403, headers: new Headers() };
    expect(judge({}, {}, { actual }, 403)).toEqual([
      expect.stringContaining(`The server rejects requests from ${ORIGIN} (HTTP 403).`),
    ]);
    expect(judge({}, {}, { actual }, 204)).toEqual([
      expect.stringContaining(`The server rejects requests from ${ORIGIN} (HTTP 403).`),
    ]);
  });
  it('asks only for headers that a page sends to this server', () => {
    const session = { era: 'session', hasSession: true, givesEventIds: true } as const;
    expect(neededHeaders(session, ['X-Key'])).toEqual([
      'content-type',
      'mcp-protocol-version',
      'mcp-session-id',
      'last-event-id',
      'x-key',
    ]);
    expect(neededHeaders({ ...session, givesEventIds: false }, [])).not.toContain('last-event-id');
    expect(neededHeaders({ ...session, hasSession: false }, [])).toEqual([
      'content-type',
      'mcp-protocol-version',
    ]);
    expect(neededHeaders({ ...session, era: 'stateless', hasSession: false }, [])).toContain('mcp-method');
  });
  it('does not ask a server without sessions to show one', () => {
    expect(judge(PREFLIGHT, { 'access-control-allow-origin': '*' }, { hasSession: false })).toEqual([]);
  });
});
