import { expect, test } from 'vitest';
import { isOlder } from './versions.ts';

test.each([
  ['0.1.0', '0.1.1'],
  ['0.9.0', '0.10.0'],
  ['1.2.3', '2.0.0'],
  ['0.1', '0.1.1'],
])('%s is older than %s', (version, than) => {
  expect(isOlder(version, than)).toBe(true);
  expect(isOlder(than, version)).toBe(false);
});

test('a version is not older than itself', () => {
  expect(isOlder('0.1.0', '0.1.0')).toBe(false);
  expect(isOlder('0.1.0-next.1', '0.1.0')).toBe(false);
});
