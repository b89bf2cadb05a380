import { expect, it } from 'vitest';
import { isLocal, isLoopback } from './localNetwork.ts';

it.each([
  ...['http://localhost', 'http://localhost.', 'http://a.localhost', 'http://127.0.0.1', 'http://127.1'],
  ...['http://2130706433', 'http://0x7f.1', 'http://[::1]', 'http://[::ffff:127.0.0.1]'],
])('%s is loopback', (url) => {
  expect(isLoopback(new URL(url))).toBe(true);
  expect(isLocal(new URL(url))).toBe(true);
});

it.each([
  ...[
    'http://10.0.0.1',
    'http://192.168.1.1',
    'http://172.16.0.1',
    'http://172.31.9.9',
    'http://169.254.169.254',
  ],
  ...['http://0.0.0.0', 'http://100.64.0.1', 'http://[::]', 'http://[fd00::1]', 'http://[fe80::1]'],
  ...['http://[::ffff:10.0.0.1]', 'http://printer.local', 'http://vault.internal', 'http://nas.home.arpa'],
  'http://router',
])('%s is local, but not loopback', (url) => {
  expect(isLocal(new URL(url))).toBe(true);
  expect(isLoopback(new URL(url))).toBe(false);
});

it.each([
  ...['https://example.com', 'https://8.8.8.8', 'https://172.32.0.1', 'https://100.128.0.1'],
  ...[
    'https://[2001:db8::1]',
    'https://localhost.example',
    'https://10.example.com',
    'https://127.0.0.1.example',
  ],
])('%s is not local', (url) => {
  expect(isLocal(new URL(url))).toBe(false);
});
