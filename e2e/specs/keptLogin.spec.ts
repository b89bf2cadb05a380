/** `verify --profile`: a login of the page is done once, and used by later runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { bearerFromProfile } from '../../harness/access/profileBearer.ts';
import { startTarget } from '../../targets/startTarget.ts';

test('a login that is kept in a folder gives a token without a user', { tag: '@long' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-profile-'));
  const server = await startTarget('oauth');
  const options = { folder, headed: false, timeoutMs: 20_000 };
  await expect(bearerFromProfile(server.url, options)).rejects.toThrow("Can't log in at 127.0.0.1");
  await server.control('approve-all');
  const first = await bearerFromProfile(server.url, {
    ...options,
    logIn: (page) => page.getByRole('button', { name: 'Log in', exact: true }).click(),
  });
  expect(first).toBeTruthy();
  await server.control('expire-tokens');
  const second = await bearerFromProfile(server.url, options);
  expect(second).toBeTruthy();
  expect(second, 'the page has refreshed it').not.toBe(first);
  await server.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});
