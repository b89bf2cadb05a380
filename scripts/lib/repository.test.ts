import { expect, test } from 'vitest';
import { repositoryFields } from './repository.mjs';

test.each([
  'https://example.org/owner/name.git',
  'https://user@example.org/owner/name',
  'git@example.org:owner/name.git',
  'ssh://git@example.org:2222/owner/name.git',
])('names the public pages of %s', (remote) => {
  expect(repositoryFields(remote)).toEqual({
    repository: { type: 'git', url: 'git+https://example.org/owner/name.git' },
    homepage: 'https://example.org/owner/name#readme',
    bugs: { url: 'https://example.org/owner/name/issues' },
  });
});

test.each(['/srv/name', '../name', 'file:///srv/name', 'C:\\name'])(
  'rejects %s, which is on one computer',
  (remote) => {
    expect(() => repositoryFields(remote)).toThrow("isn't a public URL");
  },
);

test('rejects a clone without a remote', () => {
  expect(() => repositoryFields(undefined)).toThrow('git remote add origin <url>');
});
