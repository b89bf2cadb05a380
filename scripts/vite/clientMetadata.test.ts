import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { build } from 'vite';
import { clientMetadata } from './clientMetadata.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'reprise-client-'));
  await writeFile(join(root, 'index.html'), '<title>Reprise</title>');
});

afterEach(() => rm(root, { recursive: true }));

const buildFor = (publicUrl?: string) =>
  build({ root, configFile: false, logLevel: 'silent', plugins: [clientMetadata(publicUrl)] });

test('a site that knows its address publishes who it is', async () => {
  await buildFor('https://tools.example/reprise/');
  const document: unknown = JSON.parse(await readFile(join(root, 'dist', 'client-metadata.json'), 'utf8'));
  expect(document).toMatchObject({
    client_id: 'https://tools.example/reprise/client-metadata.json',
    redirect_uris: ['https://tools.example/reprise/'],
    token_endpoint_auth_method: 'none',
  });
  expect(await readFile(join(root, 'dist', 'index.html'), 'utf8')).toContain(
    '<meta name="client-metadata" content="https://tools.example/reprise/client-metadata.json">',
  );
});

test('a site that does not know it publishes nothing', async () => {
  await buildFor();
  await expect(readFile(join(root, 'dist', 'client-metadata.json'))).rejects.toThrow('ENOENT');
  expect(await readFile(join(root, 'dist', 'index.html'), 'utf8')).not.toContain('client-metadata');
});

test('a URL without https is rejected', () => {
  expect(() => clientMetadata('http://tools.example/')).toThrow('must be an https URL');
});
