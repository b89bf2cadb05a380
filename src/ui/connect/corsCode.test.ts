import { expect, test } from 'vitest';
import { corsCode } from './corsCode.ts';

const PASTE = [
  'Access-Control-Allow-Origin: https://reprise.example',
  'Access-Control-Allow-Methods: GET, POST',
  'Access-Control-Allow-Headers: authorization, mcp-session-id',
  'Access-Control-Expose-Headers: Mcp-Session-Id',
].join('\n');

test('each framework gets the origin, the headers that are allowed, and those that are exposed', () => {
  const codes = corsCode(PASTE);
  expect(codes.map(({ framework }) => framework)).toEqual([
    'Express',
    'Hono',
    'FastMCP (Python)',
    'FastMCP (TypeScript)',
    'Cloudflare',
    'Go',
    'C#',
  ]);
  for (const { code } of codes) {
    expect(code).toContain('"https://reprise.example"');
    expect(code).toContain('mcp-session-id');
    expect(code).toContain('Mcp-Session-Id');
  }
});

test('a fix that is not about CORS has no code', () => {
  expect(corsCode('https: //elsewhere')).toEqual([]);
});
