// The reproductions of docs/upstream.md: each still shows what its report says.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../examples/upstream');
const REPORTS = join(import.meta.dirname, '../../docs/upstream.md');
const SHARED = 'server.mjs';
const reproductions = readdirSync(FOLDER).filter((file) => file.endsWith('.mjs') && file !== SHARED);

describe('what is reported to the SDK', () => {
  it.each(reproductions)('%s is still reproduced', async (file) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, file)]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('reproduced');
  });

  it('has a reproduction for each report, and a report for each reproduction', () => {
    const named = [...readFileSync(REPORTS, 'utf8').matchAll(/examples\/upstream\/([\w-]+\.mjs)\)/g)];
    expect(named.map(([, file]) => file).toSorted()).toEqual(
      reproductions.map((file) => basename(file)).toSorted(),
    );
  });
});
