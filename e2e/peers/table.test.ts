import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readFound, sumUp, type Found } from './found.ts';
import { ROWS } from './steps.ts';
import { drawTable } from './table.ts';

const found = (peer: string, what: string, timing: Found['timing']): Found => ({
  date: '2026-11-18',
  peer,
  version: '1.0',
  what,
  timing,
});

test('a cell has the medians of its rounds, and a freeze that a user would notice', () => {
  const { opened, reloaded, tools } = ROWS;
  const table = drawTable([
    found('B', opened, 'over'),
    found('Reprise', opened, { ms: 900, frozenMs: 20 }),
    found('Reprise', opened, { ms: 1200, frozenMs: 30 }),
    found('Reprise', opened, { ms: 5000, frozenMs: 4000 }),
    found('B', reloaded, 'disconnected'),
    found('Reprise', reloaded, { ms: 640, frozenMs: 250 }),
  ]);
  const lines = table.split('\n');
  expect(lines[0]).toBe('|  | Reprise 1.0 | B 1.0 |');
  expect(lines).toEqual(
    expect.arrayContaining([
      `| ${opened} | 1.2 s | over 60 s |`,
      `| ${tools} | not measured | not measured |`,
      `| ${reloaded} | 640 ms, frozen for 250 ms | no longer connected |`,
    ]),
  );
});

test('a step that most rounds could not do has no time', () => {
  const timing = { ms: 1, frozenMs: 0 };
  expect(sumUp([timing, 'over'])).toBe('over');
  expect(sumUp([timing, timing, 'over'])).toEqual(timing);
  expect(sumUp([])).toBeUndefined();
});

test('the docs have the table of what was measured', async () => {
  const page = await readFile(new URL('../../docs/comparison.md', import.meta.url), 'utf8');
  const squeezed = (text: string) => text.replaceAll(/[ -]+/g, ' ');
  expect(squeezed(page)).toContain(squeezed(drawTable(await readFound())));
});
