// The walks of ARCHITECTURE.md are true: each file is joined to one above it, and none of them has become long.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/paths.mjs';

const LIMITS: Readonly<Record<string, number>> = { '1': 18, '2': 18, '3': 24 };

interface Stop {
  readonly file: string;
  /** Where there is no import: the name that both sides know. */
  readonly seam: string | undefined;
}

const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const walks = text.split(/^#{2,3} /m).flatMap((part) => {
  const [, name] = /^Walk (\d)/.exec(part) ?? [];
  return name === undefined ? [] : [{ name, stops: stopsOf(part) }];
});

function stopsOf(part: string): readonly Stop[] {
  return [...part.matchAll(/^\d+\. `([^`]+)`(.*)$/gm)].map(([, file = '', rest = '']) => ({
    file,
    seam: /\bvia `(\w+)`/.exec(rest)?.[1],
  }));
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The files that this one imports, for their values or their types, at once or later. */
function importsOf(file: string): readonly string[] {
  return [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path).replaceAll('\\', '/'),
  );
}

function areJoined(above: string, { file, seam }: Stop): boolean {
  if (importsOf(above).includes(file) || importsOf(file).includes(above)) return true;
  if (seam === undefined) return false;
  const name = new RegExp(`\\b${seam}\\b`);
  return name.test(read(above)) && name.test(read(file));
}

it('has the three walks', () => {
  expect(walks.map(({ name }) => name)).toEqual(Object.keys(LIMITS));
});

describe.each(walks)('walk $name', ({ name, stops }) => {
  it('can be followed from file to file', () => {
    expect(stops.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
    const loose = stops.filter(
      (stop, i) => i > 0 && !stops.slice(0, i).some(({ file }) => areJoined(file, stop)),
    );
    expect(loose).toEqual([]);
  });

  it(`has at most ${LIMITS[name]} files, each of them once`, () => {
    const files = stops.map(({ file }) => file);
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(LIMITS[name] ?? 0);
  });
});
