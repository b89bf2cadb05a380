import { expect, test } from 'vitest';
import { diagnose, type Patient } from './diagnose.ts';
import { candidates } from './otherAddress.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { fixText } from '../../log/reasons/stateText.ts';

interface World {
  readonly page?: string;
  readonly isOnline?: boolean;
  readonly permission?: PermissionState;
  /** Decides which requests can be read; the others throw, as in a browser. */
  readonly reads?: (url: string, init: RequestInit) => boolean;
}

function look(
  url: string,
  { page = 'http://localhost:4173', isOnline = true, permission, reads }: World = {},
) {
  const patient: Patient = {
    url,
    pageOrigin: page,
    isOnline,
    headerNames: ['X-Team'],
    localNetwork: () => Promise.resolve(permission ?? 'unknown'),
    fetch: (address, init = {}) =>
      reads?.(String(address), init) === true
        ? Promise.resolve(new Response())
        : Promise.reject(new TypeError('Failed to fetch')),
  };
  return diagnose(patient).then((failure) => ({
    ...failure,
    why: reasonText(failure.reason),
    fix: fixText(failure),
  }));
}

const noCors = (init: RequestInit) => init.mode === 'no-cors';
const ownHeaders = (init: RequestInit) => Object.keys(init.headers ?? {});

test('offline', async () => {
  expect((await look('https://a.example/mcp', { isOnline: false })).why).toBe('You’re offline.');
  expect((await look('http://localhost:1/mcp', { isOnline: false })).why).toContain('No response from');
});

test('mixed content', async () => {
  const { why } = await look('http://a.example/mcp', { page: 'https://reprise.example' });
  expect(why).toBe('An HTTPS page can’t connect to an HTTP server (mixed content).');
});

test.each(['http://localhost:3000/mcp', 'http://127.0.0.1/mcp'])(
  'the local network without its permission: %s',
  async (url) => {
    const found = await look(url, {
      page: 'https://reprise.example',
      permission: 'denied',
      reads: () => true,
    });
    expect(found.why).toContain('blocked access to');
    expect(found.fix).toContain('Local network access');
  },
);

test('the local network from a page under http', async () => {
  expect((await look('http://192.168.0.7:3000/mcp', { page: 'http://reprise.example' })).fix).toContain(
    'over HTTPS',
  );
});

test('a permission that was given, and a page that is local itself, are no trouble', async () => {
  const given = await look('http://localhost:3000/mcp', {
    page: 'https://reprise.example',
    permission: 'granted',
  });
  expect(given.why).toContain('No response from localhost:3000.');
  expect((await look('http://localhost:3000/mcp', { permission: 'denied' })).why).toContain(
    'No response from',
  );
});

test('a certificate cannot be told from silence, and both are named', async () => {
  const { why, fix } = await look('https://a.example:8443/mcp');
  expect(why).toContain('or its certificate isn’t trusted');
  expect(fix).toContain('Open https://a.example:8443 in a new tab.');
});

test('the wrong scheme', async () => {
  const { why, fix } = await look('https://localhost:3000/mcp', { reads: (url) => url.startsWith('http:') });
  expect(why).toBe('localhost:3000 uses http, not https.');
  expect(fix).toBe('Connect to http://localhost:3000/mcp');
});

test.each<[string, (init: RequestInit) => boolean, string]>([
  ['no answer can be read', noCors, 'Responses have no Access-Control-Allow-Origin'],
  ['the preflight fails', (init) => ownHeaders(init).length === 0, 'OPTIONS) fails'],
  [
    'headers are missing',
    (init) => !ownHeaders(init).some((name) => name === 'last-event-id' || name === 'x-team'),
    'doesn’t list last-event-id, x-team in Access-Control-Allow-Headers',
  ],
  ['POST cannot be read', (init) => init.method !== 'POST' || noCors(init), 'POST responses have no'],
])('CORS: %s', async (_name, reads, words) => {
  const { why, paste } = await look('http://localhost:3000/mcp', { reads: (_url, init) => reads(init) });
  expect(why).toContain(words);
  expect(paste).toContain('Access-Control-Allow-Origin: http://localhost:4173');
  expect(paste).toContain('last-event-id, x-team');
});

test('the usual paths, of the same origin alone', () => {
  expect(candidates('http://a.example/', 'mcp')).toEqual(['http://a.example/mcp']);
  expect(candidates('http://a.example/api/', 'mcp')).toEqual([
    'http://a.example/mcp',
    'http://a.example/api/mcp',
  ]);
  expect(candidates('http://a.example/api/sse', 'mcp')).toEqual([
    'http://a.example/mcp',
    'http://a.example/api/mcp',
  ]);
  expect(candidates('http://a.example/mcp', 'mcp')).toEqual([]);
  expect(candidates('http://a.example/api?api_key=k&x=1#part', 'mcp')).toEqual([
    'http://a.example/mcp?api_key=k&x=1',
    'http://a.example/api/mcp?api_key=k&x=1',
  ]);
});
