import { expect, test } from 'vitest';
import { holdsCredentials } from './holdsCredentials.ts';

test.each([
  ['nothing', { url: 'http://localhost:3000/mcp', headers: {} }, false],
  ['a token', { url: 'http://localhost:3000/mcp', headers: {}, bearer: 't' }, true],
  ['a header', { url: 'http://localhost:3000/mcp', headers: { 'X-Key': 'k' } }, true],
  ['a key in the URL', { url: 'http://localhost:3000/mcp?api_key=k', headers: {} }, true],
])('a run with %s: %j', (_title, options, expected) => {
  expect(holdsCredentials(options)).toBe(expected);
});
