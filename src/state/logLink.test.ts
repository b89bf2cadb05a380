import { expect, test } from 'vitest';
import { fetchLog } from './fetchLog.ts';
import { readLogLink } from './logLink.ts';

const PAGE = 'https://reprise.example/app/';
const read = (log: string) => readLogLink(new URL(`${PAGE}?log=${encodeURIComponent(log)}`));
const LINK = { url: 'https://logs.example/a/talk%201.json?x=1', host: 'logs.example' };

test('a page without the parameter asks for nothing', () => {
  expect(readLogLink(new URL(PAGE))).toBeUndefined();
});

test('names the host of a log, also of one beside the page', () => {
  expect(read('https://logs.example/a.json')).toEqual({
    url: 'https://logs.example/a.json',
    host: 'logs.example',
  });
  expect(read('logs/a.json')).toEqual({ url: `${PAGE}logs/a.json`, host: 'reprise.example' });
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/plain,x',
  'https://user:pass@logs.example/',
])('does not offer %s', (log) => {
  expect(read(log)?.problem).toBeDefined();
});

test('fetches without credentials, and names the file', async () => {
  const asked: RequestInit[] = [];
  const file = await fetchLog(LINK, (_url, init) => {
    asked.push(init ?? {});
    return Promise.resolve(new Response('{"format":"reprise-log"}'));
  });
  expect(file.name).toBe('talk 1.json');
  expect(await file.text()).toBe('{"format":"reprise-log"}');
  expect(asked[0]).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
});

test('a log that is too large, missing or not reachable is a sentence', async () => {
  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(10_000_000)),
      }),
    );
  await expect(fetchLog(LINK, () => Promise.resolve(endless()))).rejects.toThrow('more than 50 MB');
  await expect(fetchLog(LINK, () => Promise.resolve(new Response('', { status: 404 })))).rejects.toThrow(
    'logs.example responded with HTTP 404',
  );
  await expect(fetchLog(LINK, () => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow(
    'CORS',
  );
});
