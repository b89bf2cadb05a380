/** The three inspectors, each driven through its own screen. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { peerVersion, startPeer } from './install.ts';
import type { Peer } from './peer.ts';
import { SERVER_NAME } from './peerServer.ts';

let built: Promise<string> | undefined;

/** Once for all rounds: the others are built already. */
async function buildSite(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-peers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  return folder;
}

export const reprise: Peer = {
  name: 'Reprise',
  version: 'this repository',
  async start() {
    const { url, close } = await serveStatic({ folder: await (built ??= buildSite()) });
    return { url, stop: close };
  },
  firstScreen: (page) => page.getByRole('textbox', { name: 'Server URL' }).waitFor(),
  async connect(page, serverUrl) {
    await page.getByRole('textbox', { name: 'Server URL' }).fill(serverUrl);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
  },
  toolShown: (page, tool) => page.getByRole('list', { name: 'Tools' }).getByText(tool).first().waitFor(),
  // Its timeline is open from the start.
  openEvents: (page) => page.getByRole('region', { name: 'Timeline' }).waitFor(),
  openTool: (page, tool) => page.getByRole('list', { name: 'Tools' }).getByText(tool).first().click(),
  call: (page) => page.getByRole('button', { name: 'Call', exact: true }).click(),
};

export const mcpInspector: Peer = {
  name: 'MCP Inspector',
  version: peerVersion('@modelcontextprotocol/inspector'),
  async start(serverUrl) {
    const port = String(await freePort());
    return startPeer(
      'mcp-inspector',
      ['--web', '--transport', 'http', '--server-url', serverUrl],
      { CLIENT_PORT: port, MCP_AUTO_OPEN_ENABLED: 'false' },
      /http:\S+MCP_INSPECTOR_API_TOKEN=\S+/,
    );
  },
  firstScreen: (page) => page.getByRole('switch', { name: /^Connect/ }).waitFor({ state: 'attached' }),
  async connect(page) {
    await page.getByRole('switch', { name: /^Connect/ }).click({ force: true });
    await section(page, 'Tools').click();
  },
  toolShown: (page, tool) => page.getByRole('button', { name: tool }).first().waitFor(),
  openEvents: (page) => section(page, 'Protocol').click(),
  openTool: (page, tool) => page.getByRole('button', { name: tool }).first().click(),
  call: (page) => page.getByRole('button', { name: 'Execute Tool' }).click(),
};

/** Its radio buttons are hidden behind their labels. */
function section(page: Page, name: string) {
  return page.locator('label').filter({ hasText: new RegExp(`^${name}$`) });
}

export const mcpUse: Peer = {
  name: 'mcp-use inspector',
  version: peerVersion('@mcp-use/inspector'),
  async start() {
    const port = String(await freePort());
    return startPeer(
      'mcp-inspect',
      ['--no-open', '--port', port],
      { PORT: port, MCP_USE_ANONYMIZED_TELEMETRY: 'false' },
      /http:\S+\/inspector/,
    );
  },
  firstScreen: (page) => page.getByPlaceholder('http://localhost:3000').waitFor(),
  async connect(page, serverUrl) {
    await page.getByPlaceholder('http://localhost:3000').fill(serverUrl);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    // A connected server is a tile with its own name; its tools are one click further.
    await page.getByTestId(`server-tile-${serverUrl}`).getByRole('heading', { name: SERVER_NAME }).click();
  },
  toolShown: (page, tool) =>
    page
      .getByRole('button', { name: new RegExp(`^${tool}`) })
      .first()
      .waitFor(),
  openEvents: (page) => page.getByRole('switch', { name: 'RPC Panel' }).click({ force: true }),
  openTool: (page, tool) =>
    page
      .getByRole('button', { name: new RegExp(`^${tool}`) })
      .first()
      .click(),
  // Its button has no name; the key does the same.
  call: (page) => page.keyboard.press('Control+Enter'),
};
