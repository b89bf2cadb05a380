/** Bad input: each gives a sentence that says what to do, and nothing stored is lost. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { damageRecords, expect, Inspector, range, test as base } from './inspector.ts';

interface Fixtures {
  /** A web server that answers as it is told, with everything a browser needs. */
  serve: (listener: RequestListener) => Promise<string>;
}

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  serve: async ({}, use) => {
    const servers: ReturnType<typeof createServer>[] = [];
    await use(async (listener) => {
      const server = createServer((request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', '*');
        response.setHeader('access-control-expose-headers', '*');
        if (request.method === 'OPTIONS') response.writeHead(204).end();
        else listener(request, response);
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
});

function connectTo(page: Page, url: string) {
  return page.evaluate((address) => window.reprise.connect(address), url);
}

test('addresses that lead nowhere, and one that leads beside the server', async ({
  inspector,
  serve,
  target,
}) => {
  const { page } = inspector;
  await test.step('nobody answers', async () => {
    expect(await connectTo(page, 'http://127.0.0.1:9/mcp')).toMatchObject({
      name: 'failed',
      why: 'No response from 127.0.0.1:9.',
      fix: 'Check that the server is running, and check the host and port.',
    });
  });
  await test.step('it is no address', async () => {
    await expect(connectTo(page, 'not an address')).rejects.toThrow(/Use a URL like http:\/\//);
  });
  await test.step('a page that is not MCP', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>');
    });
    expect(await connectTo(page, url)).toMatchObject({
      name: 'failed',
      why: expect.stringContaining('not with MCP'),
      fix: expect.stringContaining('/mcp'),
    });
  });
  await test.step('a path that is not there: the server is found where servers usually are', async () => {
    const server = await target('resumable');
    expect(await connectTo(page, `${server.origin}/wrong`)).toMatchObject({ name: 'connected' });
    await expect(page.getByRole('textbox', { name: 'Server URL' })).toHaveValue(server.url);
  });
});

test('a failed connection leaves what was stored before it', async ({ inspector, target }) => {
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'one' });
  const id = await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
  await inspector.expectWhole(id, 3);
  await inspector.page.evaluate(() => window.reprise.connect('http://127.0.0.1:9/mcp', { name: 'one' }));
  await inspector.reload();
  expect(await inspector.state()).toMatchObject({ name: 'failed' });
  expect(await inspector.ticks(id)).toEqual(range(3));
});

/** A server by hand, whose answer to a call is whatever the test says. */
function handmade(events: (id: string) => Iterable<string>): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'GET' ? 405 : 200).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as { id?: string; method: string };
      if (message.id === undefined) return response.writeHead(202).end();
      const { id, method } = message;
      if (method === 'tools/call') {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'by-hand' });
        for (const event of events(id)) response.write(event);
        return response.end();
      }
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'hand', version: '1' },
            }
          : { tools: [{ name: 'any', inputSchema: { type: 'object' } }] };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'by-hand' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
}

test('invalid JSON in an event: it is shown as such, and the call goes on', async ({ inspector, serve }) => {
  const url = await serve(
    handmade((id) => [
      'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/mess\n\n',
      'id: 2\ndata: [1, 2]\n\n',
      `id: 3\ndata: {"jsonrpc":"2.0","id":"${id}","result":{"content":[]}}\n\n`,
    ]),
  );
  await inspector.connect(url);
  const call = await inspector.untilEnded(await inspector.call('any'));
  expect(call).toMatchObject({ name: 'settled', received: 1 });
  const broken = await inspector.entries('kind:malformed');
  expect(broken).toHaveLength(2);
  expect(broken[0]).toMatchObject({ eventId: '1', why: 'Not a JSON-RPC message.' });
});

test('an event of 50 MB: the call says why its result was not kept, and the page lives', async ({
  inspector,
  serve,
}) => {
  const url = await serve(
    handmade(function* (id) {
      yield `id: 1\ndata: {"jsonrpc":"2.0","id":"${id}","result":{"content":[{"type":"text","text":"`;
      for (let i = 0; i < 50; i += 1) yield 'x'.repeat(1_000_000);
      yield '"}]}}\n\n';
    }),
  );
  await inspector.connect(url);
  const call = await inspector.untilEnded(await inspector.call('any'));
  expect(call.name).toBe('lost');
  expect(call.why).toContain('larger than 32 MB');
  expect(call.why).toContain('Request less data');
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
});

test('a result of 10 MB is kept, and there after a reload', async ({ inspector, target }) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  const id = await inspector.call('big', { bytes: 10_000_000 });
  expect(await inspector.untilEnded(id)).toMatchObject({ name: 'settled' });
  await inspector.reload();
  const bytes = await inspector.page.evaluate(
    (callId) => JSON.stringify(window.reprise.calls().find((call) => call.id === callId)?.result).length,
    id,
  );
  expect(bytes).toBeGreaterThan(10_000_000);
});

test('a corrupt head is made again from the entries', async ({ inspector, target }) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  const id = await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
  await inspector.expectWhole(id, 3);
  expect(await damageRecords(inspector.page, '/head$', 'nonsense')).toBe(1);
  await inspector.reloadAtOnce();
  expect(await inspector.ticks(id)).toEqual(range(3));
  expect(await inspector.callNamed(id)).toMatchObject({ name: 'settled' });
  const notes = await inspector.entries('kind:note');
  expect(JSON.stringify(notes)).toContain('rebuilt it from the log.');
});

test('corrupt entries are put aside, named, and the rest goes on', async ({ inspector, target }) => {
  const server = await target('resumable');
  await inspector.connect(server.url);
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 10 }), 3);
  expect(await damageRecords(inspector.page, '/segment/1$', { v: 2, runs: 'nonsense' })).toBe(1);
  await inspector.reloadAtOnce();
  expect(JSON.stringify(await inspector.entries('kind:note'))).toMatch(/Can’t read entries 1 to \d+/);
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
});

test('a browser that refuses IndexedDB: the page works, and says what a reload would lose', async ({
  page,
  watch,
  target,
}) => {
  await watch(page).addInitScript(() => {
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  const inspector = await new Inspector(page).open();
  const server = await target('resumable');
  await inspector.connect(server.url);
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 10 }), 3);
  await expect(page.getByRole('alert')).toContainText(/reload/i);
});

test('a full disk: what is stored stays, the page goes on and says so', async ({ page, watch, target }) => {
  await watch(page).addInitScript(() => {
    const put = Reflect.get<IDBObjectStore, 'put'>(IDBObjectStore.prototype, 'put');
    Object.defineProperty(IDBObjectStore.prototype, 'put', {
      value(this: IDBObjectStore, value: unknown, key: IDBValidKey) {
        if (sessionStorage.getItem('disk') !== 'full') return put.call(this, value, key);
        throw new DOMException('No room.', 'QuotaExceededError');
      },
    });
  });
  const inspector = await new Inspector(page).open();
  const server = await target('resumable');
  await inspector.connect(server.url);
  const before = await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
  await inspector.expectWhole(before, 3);
  // A page without a call has no worker yet: what a full disk means for that one is in logWorker.spec.ts.
  await inspector.reload();
  await page.evaluate(() => {
    sessionStorage.setItem('disk', 'full');
  });
  const during = await inspector.call('countdown', { ticks: 4, intervalMs: 10 });
  await inspector.expectWhole(during, 4);
  await expect(page.getByRole('alert')).toContainText(/quota|full/i);
  await page.evaluate(() => {
    sessionStorage.removeItem('disk');
  });
  await inspector.reload();
  expect(await inspector.ticks(before)).toEqual(range(3));
});
