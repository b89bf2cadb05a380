import { expect, test } from 'vitest';
import { linkTo, readLink, withoutLink } from './linkRequest.ts';

const PAGE = 'https://reprise.example/app/';
const read = (query: string) => readLink(new URL(`${PAGE}?${query}`));

test('a link that was made is read again', () => {
  const link = linkTo(new URL(`${PAGE}?server=old#x`), {
    url: 'https://a.example/mcp?x=1&y=2',
    tool: 'sum up',
    args: '{"a":1}',
  });
  expect(readLink(new URL(link))).toEqual({
    url: 'https://a.example/mcp?x=1&y=2',
    tool: 'sum up',
    args: '{\n  "a": 1\n}',
  });
  expect(new URL(link).search).toBe('');
  expect(withoutLink(new URL(link))).toBe(PAGE);
});

test('a link that is passed on has no key of the server URL in it', () => {
  const link = linkTo(new URL(PAGE), { url: 'https://a.example/mcp?x=1&api_key=KEY-IN-URL-42' });
  expect(readLink(new URL(link))?.url).toBe('https://a.example/mcp?x=1');
});

test('a link is read from the query as well, and the fragment wins', () => {
  const page = new URL(`${PAGE}?server=https://a.example/&tool=a#server=https://b.example/`);
  expect(readLink(page)).toEqual({ url: 'https://b.example/' });
  page.hash = '';
  expect(readLink(page)).toEqual({ url: 'https://a.example/', tool: 'a' });
});

test('the fragment of anything else is left alone', () => {
  expect(withoutLink(new URL(`${PAGE}?server=https://a.example/#part`))).toBe(`${PAGE}#part`);
});

test('an address without a server asks for nothing', () => {
  expect(read('tool=a')).toBeUndefined();
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'nonsense'])('%s is refused', (address) => {
  expect(read(`server=${encodeURIComponent(address)}`)?.problem).toContain('http or https');
});

test('a password in a link is refused', () => {
  expect(read(`server=${encodeURIComponent('https://me:pw@a.example/mcp')}`)?.problem).toContain('password');
});

test.each(['[1]', 'nonsense', '7'])('arguments that are no object are left out: %s', (args) => {
  expect(read(`server=https://a.example/&args=${encodeURIComponent(args)}`)).toEqual({
    url: 'https://a.example/',
  });
});
