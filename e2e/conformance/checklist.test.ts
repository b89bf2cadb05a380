import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEST = /`([^`]+\.(?:test|spec)\.ts)` › “([^”]+)”/g;
const SCENARIO = /\bsuite `[\w/-]+`/;

const rows = readFileSync(new URL('./CHECKLIST.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (clause|-)/.test(line))
  .map((line) => {
    const [, clause = '', cover = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { clause, cover };
  });

/** Stands it in the title of a test, at its beginning or after what its rows fill in? A comment would prove nothing. */
function isTestOf(source: string, title: string): boolean {
  const words = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:\\b(?:it|test)(?:\\.only)?|\\))\\(\\s*(['"\`])[^'"\`\\n]*${words}`).test(source);
}

describe('the checklist', () => {
  it('has a line for every clause', () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  it.each(rows)('$clause', ({ cover }) => {
    const named = [...cover.matchAll(TEST)].map(([, file = '', title = '']) => ({ file, title }));
    expect(named.length > 0 || SCENARIO.test(cover) || cover.startsWith('does not apply: ')).toBe(true);
    for (const { file, title } of named) {
      expect(existsSync(`${ROOT}${file}`), file).toBe(true);
      expect(isTestOf(readFileSync(`${ROOT}${file}`, 'utf8'), title), `${file}: ${title}`).toBe(true);
    }
  });
});
