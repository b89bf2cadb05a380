import { expect, test } from 'vitest';
import { readTyped, typedFrom } from './typedServer.ts';

test('what was kept is what is typed again', () => {
  const options = {
    bearer: 'abc',
    headers: { 'X-A': '1', 'X-B': 'two: 2' },
    clientId: 'me',
    timeoutMs: 90_000,
    revision: 'session' as const,
    keepSecrets: 'tab' as const,
  };
  expect(readTyped(typedFrom(options, options))).toEqual({ ok: true, value: options });
});

test('nothing typed is nothing but the default', () => {
  expect(readTyped(typedFrom({}, {}))).toEqual({
    ok: true,
    value: { revision: 'auto', keepSecrets: 'browser' },
  });
});

test.each(['0', '-1', 'soon', '1e9'])('a timeout of %s is refused', (timeoutSeconds) => {
  const read = readTyped({ ...typedFrom({}, {}), timeoutSeconds });
  expect(!read.ok && read.error).toContain('Timeout must be');
});
