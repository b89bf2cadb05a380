import { expect, test } from 'vitest';
import { readBridgeLink } from './bridgeLink.ts';

const PAGE = 'http://localhost:4778/';
const FILES = `${PAGE}mcp/files?token=a1`;
const linkOf = (...urls: readonly string[]) =>
  new URL(`${PAGE}#${new URLSearchParams(urls.map((url) => ['server', url]))}`);

test('every server of the own bridge is read, with the token', () => {
  expect(readBridgeLink(linkOf(FILES, `${PAGE}mcp/docs?token=a1`))).toEqual([
    FILES,
    `${PAGE}mcp/docs?token=a1`,
  ]);
});

test.each([
  ['another origin', [FILES, 'http://localhost:4779/mcp?token=a1']],
  ['no token', [`${PAGE}mcp`]],
  ['an empty token', [`${PAGE}mcp?token=`]],
  ['no URL', ['nonsense']],
])('%s makes it an ordinary link', (_name, urls) => {
  expect(readBridgeLink(linkOf(...urls))).toEqual([]);
});

test('a link in the query is never one of the own bridge', () => {
  expect(readBridgeLink(new URL(`${PAGE}?server=${encodeURIComponent(FILES)}`))).toEqual([]);
});
