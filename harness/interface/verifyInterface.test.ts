import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SnapshotList } from '../../src/client/catalog/interface/snapshot.ts';
import { parseVerify } from '../cli/options.ts';
import type { RawServer } from '../probe/reach.ts';
import { verifyInterface } from './verifyInterface.ts';

const URL_ = 'http://localhost:3000/mcp';
const SAYS_NOTHING = { say: () => undefined };

/** A server with these lists. */
const offering = (lists: Partial<Record<SnapshotList, readonly object[]>>) => {
  const raw: RawServer = {
    server: { name: 'shop', version: '1' },
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {} },
    instructions: undefined,
    list: (list) => Promise.resolve(lists[list] ?? []),
    call: () => Promise.reject(new Error('Nothing is called.')),
    close: () => Promise.resolve(),
  };
  return { newRawServer: () => Promise.resolve(raw) };
};

const newPath = () => join(mkdtempSync(join(tmpdir(), 'reprise-interface-')), 'mcp.json');
const check = (server: ReturnType<typeof offering>, path: string, updates = false, isCi = false) =>
  verifyInterface(server, { url: URL_, headers: {} }, { path, updates }, SAYS_NOTHING, isCi);

describe('verify --snapshot', () => {
  const before = offering({ tools: [{ name: 'sum', description: 'Adds.' }] });
  const after = offering({ tools: [{ name: 'sum', description: 'Adds two.' }, { name: 'product' }] });

  it('writes the first snapshot, and passes while the server offers the same', async () => {
    const path = newPath();
    expect(await check(before, path)).toMatchObject({ name: 'interface', verdict: 'pass' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      schemaVersion: 1,
      tools: [{ name: 'sum' }],
    });
    expect(await check(before, path)).toMatchObject({
      verdict: 'pass',
      why: `The interface matches ${path}.`,
    });
  });

  it('fails where the interface differs, and says how', async () => {
    const path = newPath();
    await check(before, path);
    const { verdict, level, why } = await check(after, path);
    expect({ verdict, level }).toEqual({ verdict: 'fail', level: 'must' });
    expect(why.split('\n').map((line) => line.trim())).toEqual([
      `Since ${path}: 1 added, 1 changed.`,
      'Tool "product" added',
      'Tool "sum" changed',
      'description: "Adds." → "Adds two."',
    ]);
  });

  it('accepts the new interface with --update-snapshot', async () => {
    const path = newPath();
    await check(before, path);
    expect(await check(after, path, true)).toMatchObject({ verdict: 'pass' });
    expect(await check(after, path)).toMatchObject({ verdict: 'pass' });
  });

  it('fails in CI without a snapshot, which was not committed', async () => {
    expect(await check(before, newPath(), false, true)).toMatchObject({ verdict: 'fail', level: 'must' });
  });

  it('refuses a file that is no snapshot', async () => {
    const path = newPath();
    writeFileSync(path, '{}');
    await expect(check(before, path)).rejects.toThrow(`${path} can't be used.`);
  });

  it('writes no secret that the server repeats', async () => {
    const path = newPath();
    const server = offering({ tools: [{ name: 'sum', description: 'You are s3cret-token-value.' }] });
    const given = { url: URL_, headers: {}, bearer: 's3cret-token-value' };
    await verifyInterface(server, given, { path, updates: false }, SAYS_NOTHING, false);
    expect(readFileSync(path, 'utf8')).not.toContain('s3cret-token-value');
  });

  it('is read from the command line', () => {
    expect(parseVerify([URL_, '--snapshot', 'mcp.json', '--scenario', 'interface']).base).toMatchObject({
      snapshot: { path: 'mcp.json', updates: false },
      scenarios: ['interface'],
    });
    expect(parseVerify([URL_, '--snapshot', 'a.json', '--update-snapshot']).base.snapshot).toEqual({
      path: 'a.json',
      updates: true,
    });
  });

  it.each([
    [['--update-snapshot'], '--update-snapshot requires --snapshot'],
    [['--scenario', 'interface'], '--scenario interface requires --snapshot'],
    [['--snapshot', 'a.json', '--revision', 'both'], '--snapshot works with one server'],
  ])('refuses %j', (more, why) => {
    expect(() => parseVerify([URL_, ...more])).toThrow(why);
  });
});
