import { expect, test } from 'vitest';
import { openDocument } from './viewDocuments.ts';

const URI = 'ui://server/view';

/** The records of a server, and a server whose document can change. */
function setUp(html = '<p>first</p>') {
  let stored: unknown;
  let reads = 0;
  const server: { html: string; meta: object | undefined; listed: unknown } = {
    html,
    meta: { ui: { a: 1 } },
    listed: undefined,
  };
  const tab = {
    loadViews: () => Promise.resolve(stored),
    saveViews: (views: readonly object[]) => Promise.resolve(void (stored = views)),
  };
  const read = (uri: string) => {
    reads += 1;
    const content = {
      uri,
      mimeType: 'text/html;profile=mcp-app',
      text: server.html,
      ...(server.meta && { _meta: server.meta }),
    };
    return Promise.resolve({ contents: [content] });
  };
  const open = (sha256?: string, uri = URI) =>
    openDocument(tab, uri, sha256 === undefined ? undefined : facts(sha256), {
      read,
      listed: () => Promise.resolve(server.listed),
    });
  return { open, server, reads: () => reads, forget: () => (stored = undefined), stored: () => stored };
}

const facts = (sha256: string) => ({
  callId: '1',
  uri: URI,
  sha256,
  opened: 1,
  findings: [],
  messages: [],
});

test('the first opening reads the document, with its metadata', async () => {
  const { view, from } = await setUp().open();
  expect(view).toMatchObject({ uri: URI, html: '<p>first</p>', ui: { a: 1 } });
  expect(from).toBe('server');
});

test('metadata of the list holds where the content has none', async () => {
  const { open, server } = setUp();
  server.listed = { uri: URI, _meta: { ui: { b: 2 } } };
  expect((await open()).view.ui).toEqual({ a: 1 });
  server.meta = undefined;
  expect((await open()).view.ui).toEqual({ b: 2 });
  server.listed = undefined;
  expect((await open()).view.ui).toEqual({});
});

test('a later opening has the first document, even if the server has another one', async () => {
  const { open, server, reads } = setUp();
  const first = await open();
  server.html = '<p>second</p>';
  expect(await open(first.view.sha256)).toEqual({ ...first, from: 'storage' });
  expect(reads()).toBe(1);
});

test('a document that is no longer stored is read again, and a change is reported', async () => {
  const { open, server, forget } = setUp();
  const { view } = await open();
  forget();
  expect((await open(view.sha256)).from).toBe('server');
  forget();
  server.html = '<p>second</p>';
  expect((await open(view.sha256)).from).toBe('changed');
});

test('ten documents are kept, the newest', async () => {
  const { open, server, stored } = setUp();
  for (let i = 0; i < 12; i += 1) {
    server.html = `<p>${i}</p>`;
    await open(undefined, `${URI}/${i}`);
  }
  expect(stored()).toHaveLength(10);
  expect(stored()).toMatchObject([{ html: '<p>2</p>' }, ...Array.from({ length: 9 }, () => ({}))]);
});

test('a response without a view is an error', async () => {
  const { open, server } = setUp();
  server.html = undefined as never;
  await expect(open()).rejects.toThrow(/has no text/);
});
