// Why a connection fails: each case with a real server that has just this trouble.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { copiedBy } from './copiedBy.ts';
import { test as base } from './inspector.ts';
import { makeCertificate } from './selfSigned.ts';

const test = base.extend<{ host: (listener: RequestListener) => Promise<string> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  host: async ({}, use) => {
    const servers: ReturnType<typeof createServer>[] = [];
    await use(async (listener) => {
      const server = createServer(listener);
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

const status = (page: Page) => page.getByRole('status');
const callout = (page: Page) => page.getByRole('complementary').filter({ hasText: 'How to fix it' });

async function connect(page: Page, url: string) {
  await page.getByRole('textbox', { name: 'Server URL' }).fill(url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

const ALLOWED = 'content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id';

function allow(request: IncomingMessage, response: ServerResponse, headers = ALLOWED): boolean {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
  response.setHeader('access-control-allow-headers', headers);
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204).end();
  return true;
}

/** Answers `initialize` and nothing else. */
async function shakeHands(
  request: IncomingMessage,
  response: ServerResponse,
  protocolVersion = '2025-11-25',
) {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method } = JSON.parse(body === '' ? '{}' : body) as { id?: string; method?: string };
  if (method !== 'initialize') return response.writeHead(id === undefined ? 202 : 404).end();
  const serverInfo = { name: 'raw', version: '1' };
  const result = { protocolVersion, capabilities: {}, serverInfo };
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

test.beforeEach(async ({ page, watch }) => {
  await watch(page).goto('./');
});

test('the address of the host is enough where the server answers at /mcp', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.origin);
  await expect(status(page)).toHaveText('Connected');
  await expect(page.getByRole('textbox', { name: 'Server URL' })).toHaveValue(server.url);
  await expect(page.getByRole('alert')).toContainText(`Found one at ${server.url}`);
  await page.reload();
  await expect(status(page)).toContainText('Reconnected');
  await expect(page.getByRole('textbox', { name: 'Server URL' })).toHaveValue(server.url);
});

test('a certificate that nobody trusts cannot be told from silence, and both are named', async ({ page }) => {
  const server = createSecureServer(makeCertificate(), (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  await connect(page, `${origin}/mcp`);
  await expect(status(page)).toContainText('or its certificate isn’t trusted');
  await expect(callout(page)).toContainText(`Open ${origin} in a new tab.`);
  server.close();
});

test('a site that is no MCP server, and one with the old transport elsewhere', async ({
  page,
  host,
  target,
}) => {
  const site = await host((request, response) => {
    if (!allow(request, response)) response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
  });
  await connect(page, `${site}/`);
  await expect(status(page)).toContainText('not with MCP (text/html)');
  await expect(callout(page)).toContainText('end in /mcp');

  const old = await target('sse');
  await connect(page, old.origin);
  await expect(status(page)).toHaveText('Connected over HTTP+SSE (deprecated)');
  await expect(page.getByRole('textbox', { name: 'Server URL' })).toHaveValue(`${old.origin}/sse`);
});

test('CORS: which header, on which answer, and what to paste', async ({ page, host, target, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const none = await target('no-cors');
  await connect(page, none.url);
  await expect(status(page)).toContainText('Responses have no Access-Control-Allow-Origin');
  const pasted = await copiedBy(page, () => callout(page).getByRole('button', { name: 'Copy fix' }).click());
  expect(pasted).toContain(`Access-Control-Allow-Origin: ${new URL(page.url()).origin}\n`);
  expect(pasted).toContain('mcp-protocol-version');
  await callout(page).getByRole('button', { name: 'Hono' }).click();
  await expect(callout(page)).toContainText("app.use('/mcp', cors({");

  const some = await host((request, response) => {
    if (!allow(request, response, 'content-type, mcp-session-id')) void shakeHands(request, response);
  });
  await connect(page, `${some}/mcp`);
  await expect(status(page)).toContainText('doesn’t list mcp-protocol-version, last-event-id');

  const refuses = await host((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') response.writeHead(401).end();
    else void shakeHands(request, response);
  });
  await connect(page, `${refuses}/mcp`);
  await expect(status(page)).toContainText('(OPTIONS) fails');
});

test('the wrong scheme, a revision that nobody shares, and a session that is refused at once', async ({
  page,
  host,
}) => {
  const old = await host((request, response) => {
    if (!allow(request, response)) void shakeHands(request, response, '1999-01-01');
  });
  await connect(page, `${old.replace('http:', 'https:')}/mcp`);
  await expect(status(page)).toContainText('uses http, not https.');
  await expect(callout(page)).toContainText(`Connect to ${old}/mcp`);

  await connect(page, `${old}/mcp`);
  await expect(status(page)).toContainText('No common protocol version (server: 1999-01-01)');

  const forgetful = await host((request, response) => {
    if (allow(request, response)) return;
    if (request.headers['mcp-session-id'] !== undefined) {
      response.writeHead(404).end('Session not found');
      return;
    }
    response.setHeader('mcp-session-id', 'one');
    void shakeHands(request, response);
  });
  await connect(page, `${forgetful}/mcp`);
  await expect(status(page)).toContainText('The server created a session and then rejected it.');
  await expect(callout(page)).toContainText('Mcp-Session-Id');
});
