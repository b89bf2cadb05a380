/** Saved calls leave the page as a file, and `verify --calls` runs them with what is expected of them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTarget } from '../../targets/startTarget.ts';
import { expect, test } from './inspector.ts';

test('saved calls of a server are exported as a file', async ({ inspector, target }) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  await page
    .getByRole('list', { name: 'Tools' })
    .getByRole('button', { name: 'countdown', exact: true })
    .click();
  await page.getByLabel('ticks').fill('3');
  await page.getByText('Saved', { exact: true }).click();
  await page.getByLabel('Saved call name').fill('short');
  await page.keyboard.press('Enter');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export saved calls' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('calls.json');
  const file: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(file).toMatchObject({
    schemaVersion: 1,
    calls: [{ name: 'short', tool: 'countdown', args: { ticks: 3 }, expect: { status: 'result' } }],
  });
});

test('verify --calls runs them alone and across a reload, and writes JUnit', { tag: '@long' }, async () => {
  const server = await startTarget('resumable');
  const folder = await mkdtemp(join(tmpdir(), 'reprise-calls-'));
  const path = join(folder, 'calls.json');
  const args = { ticks: 8, intervalMs: 150 };
  const right = { status: 'result', paths: [{ path: '$.isError', exists: false }], snapshot: true };
  const wrong = { paths: [{ path: '$.content[0].text', equals: 'nothing' }], reload: false };
  const calls = [
    { name: 'right', tool: 'countdown', args, expect: right },
    { name: 'wrong', tool: 'countdown', args: { ticks: 1, intervalMs: 1 }, expect: wrong },
  ];
  await writeFile(path, JSON.stringify({ schemaVersion: 1, calls }));
  const junit = join(folder, 'junit.xml');
  const { code, out } = await run('verify', server.url, '--calls', path, '--junit', junit);
  expect(code, out).toBe(1);
  expect(out).toContain('✓ countdown: right');
  expect(out).toContain('✓ countdown: right, reloaded');
  expect(out).toContain('$.content[0].text: expected "nothing", received "');
  expect(await readFile(junit, 'utf8')).toContain('tests="3" failures="1"');
  const snapshots: unknown = JSON.parse(await readFile(join(folder, 'calls.snapshots.json'), 'utf8'));
  expect(snapshots).toHaveProperty('countdown: right');
  await rm(folder, { recursive: true });
  await server.close();
});

function run(...args: string[]): Promise<{ code: number; out: string }> {
  const command = ['--import', 'tsx', 'harness/cli.ts', ...args];
  const { CI: _ci, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, out: stdout + stderr }),
    );
  });
}
