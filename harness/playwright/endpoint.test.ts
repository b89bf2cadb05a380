import { describe, expect, it } from 'vitest';
import { endpointMatcher } from './endpoint.ts';

const ROWS: readonly [string, string, boolean][] = [
  ['**/api/mcp', 'http://localhost:5173/api/mcp', true],
  ['**/api/mcp', 'http://localhost:5173/api/mcp?key=1', true],
  ['**/api/mcp', 'http://localhost:5173/api/mcp/tools', false],
  ['http://mcp.test/mcp', 'http://mcp.test/mcp', true],
  ['http://mcp.test/mcp', 'http://mcpxtest/mcp', false],
  ['**/{mcp,sse}', 'http://a.test/sse', true],
  ['http://a.test/*/mcp', 'http://a.test/v1/mcp', true],
  ['http://a.test/*/mcp', 'http://a.test/v1/v2/mcp', false],
];

describe('an endpoint', () => {
  it.each(ROWS)('%s and %s: %s', (glob, url, expected) => {
    expect(endpointMatcher(glob)(new URL(url))).toBe(expected);
  });

  it('matches twice with a global expression', () => {
    const matches = endpointMatcher(/\/mcp$/g);
    expect([matches(new URL('http://a.test/mcp')), matches(new URL('http://a.test/mcp'))]).toEqual([
      true,
      true,
    ]);
  });
});
