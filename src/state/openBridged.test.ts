import { expect, test, vi } from 'vitest';
import { BRIDGE_HEADER, writeBridgeMark } from '../base/bridgeContract.ts';
import { askBridge, findBridged, openBridged } from './openBridged.ts';

const PAGE = 'http://localhost:4778/';
const FILES = `${PAGE}mcp/files?token=a1`;
const marked = { [BRIDGE_HEADER]: writeBridgeMark({ transport: 'stdio', replay: 'bridge' }) };

test('the bridge confirms the token and names the server', async () => {
  const request = vi.fn(() => Promise.resolve(Response.json({ name: 'files' }, { headers: marked })));
  expect(await askBridge(FILES, request)).toEqual({ url: FILES, name: 'files' });
  expect(request).toHaveBeenCalledWith(`${PAGE}mcp/files/bridge?token=a1`, expect.anything());
});

test.each([
  ['a wrong token', () => Promise.resolve(new Response(null, { status: 403 }))],
  ['a page that is no bridge', () => Promise.resolve(Response.json({ name: 'files' }))],
  ['no response', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s proves nothing', async (_name, request) => {
  expect(await askBridge(FILES, request)).toBeUndefined();
});

test('a server of the list gets the new token; another command at the same URL is another server', () => {
  const files = { name: 'files', url: `${PAGE}mcp?token=old` };
  expect(findBridged([files], { name: 'files', url: `${PAGE}mcp?token=new` })).toBe(files);
  expect(findBridged([files], { name: 'mail', url: `${PAGE}mcp?token=new` })).toBeUndefined();
});

test('a new server of the bridge is put on the list as one', async () => {
  const request = () => Promise.resolve(Response.json({ name: 'files' }, { headers: marked }));
  const add = vi.fn(() => Promise.resolve('id'));
  const workspace = {
    servers: [],
    selected: undefined,
    select: () => undefined,
    connectTo: () => Promise.resolve({ name: 'idle' } as const),
    edit: () => Promise.resolve(),
    add,
  };
  await openBridged([FILES], workspace, request);
  expect(add).toHaveBeenCalledWith(FILES, { name: 'files' }, 'bridge');
});
