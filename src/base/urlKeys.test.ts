import { describe, expect, it } from 'vitest';
import {
  hasUrlKeys,
  hideUrlKeys,
  keysOfUrl,
  lacksUrlKeys,
  restoreUrlKeys,
  withoutUrlKeys,
} from './urlKeys.ts';

const HOST = 'https://mcp.example/mcp';

describe('keys in a URL', () => {
  it.each([
    'api_key',
    'apikey',
    'apiKey',
    'API-KEY',
    'key',
    'token',
    'access_token',
    'accessToken',
    'secret',
    'client_secret',
    'password',
    'sig',
    'signature',
    'X-Amz-Signature',
    'auth',
    'code',
    'smitheryApiKey',
  ])('are found by the name %s', (name) => {
    expect(hideUrlKeys(`${HOST}?${name}=k42&a=b`)).toBe(`${HOST}?${name}=‹redacted›&a=b`);
    expect(keysOfUrl(`${HOST}?${name}=k42&a=b`)).toEqual(['k42']);
    expect(withoutUrlKeys(`${HOST}?${name}=k42&a=b`)).toBe(`${HOST}?a=b`);
  });

  it.each([
    'keyboard=us',
    'author=me',
    'codec=opus',
    'monkey=7',
    'profile=my-own-profile',
    'signal=1',
    'a',
    'a=',
  ])('are not seen in %s', (query) => {
    expect(hideUrlKeys(`${HOST}?${query}`)).toBe(`${HOST}?${query}`);
    expect(keysOfUrl(`${HOST}?${query}`)).toEqual([]);
  });

  it.each(['8c2f1a0e-7d5b-4b61-9c6b-0f3f0f6c0a11', 'sk9fJ2kd8QmZ0aPqLr5T', '0123456789abcdef0123'])(
    'are found by their look: %s',
    (value) => {
      expect(hideUrlKeys(`${HOST}?p=${value}`)).toBe(`${HOST}?p=‹redacted›`);
    },
  );

  it('may stand in front of the host', () => {
    const url = 'https://me:pa%20ss@mcp.example/mcp#x';
    expect(hideUrlKeys(url)).toBe('https://‹redacted›@mcp.example/mcp#x');
    expect(keysOfUrl(url)).toEqual(['me', 'pa ss']);
    expect(withoutUrlKeys(url)).toBe('https://mcp.example/mcp#x');
  });

  it('are decoded, and hidden as they were written', () => {
    expect(keysOfUrl(`${HOST}?token=a%2Bb%20c+d`)).toEqual(['a+b c d']);
    expect(hideUrlKeys(`${HOST}?to%6ben=a%2Bb&x=1#f`)).toBe(`${HOST}?to%6ben=‹redacted›&x=1#f`);
  });

  it('are hidden in what is no URL as well as can be', () => {
    expect(hideUrlKeys('/messages?token=abc')).toBe('/messages?token=‹redacted›');
    expect(hideUrlKeys('')).toBe('');
  });
});

describe('a URL whose keys are hidden', () => {
  const whole = 'https://ann:secret-9@host.example/mcp?a=b&api_key=KEY-42&x=aB3dE5fG7hI9jK1lM3nO5';
  const shown = hideUrlKeys(whole);

  it('is hidden once', () => {
    expect(shown).toBe('https://‹redacted›@host.example/mcp?a=b&api_key=‹redacted›&x=‹redacted›');
    expect(hideUrlKeys(shown)).toBe(shown);
    expect(hasUrlKeys(whole)).toBe(true);
    expect(hasUrlKeys(shown)).toBe(false);
    expect(hasUrlKeys(new URL(shown).href)).toBe(false);
    expect(keysOfUrl(shown.replace('‹redacted›@', ''))).toEqual([]);
  });

  it('is known to lack its keys, as it is and as a URL is printed', () => {
    expect(lacksUrlKeys(whole)).toBe(false);
    expect(lacksUrlKeys(shown)).toBe(true);
    expect(lacksUrlKeys(new URL(shown).href)).toBe(true);
  });

  it('gets its keys back from the whole URL, and from no other', () => {
    expect(restoreUrlKeys(shown, whole)).toBe(whole);
    expect(restoreUrlKeys(new URL(shown).href, whole)).toBe(whole);
    expect(restoreUrlKeys(shown.replace('/mcp', '/other'), whole)).toBe(shown.replace('/mcp', '/other'));
    expect(restoreUrlKeys(shown, undefined)).toBe(shown);
    const another = whole.replace('KEY-42', 'KEY-43');
    expect(restoreUrlKeys(another, whole)).toBe(another);
  });

  it('is without its keys what the whole URL is without them', () => {
    expect(withoutUrlKeys(shown)).toBe(withoutUrlKeys(whole));
    expect(withoutUrlKeys(shown)).toBe('https://host.example/mcp?a=b');
  });
});
