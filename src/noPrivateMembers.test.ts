// The SDK is used by its public API only: no private member, and no cast that would hide one.
import { describe, expect, test } from 'vitest';

const sources = import.meta.glob<string>(
  ['./**/*.{ts,svelte}', '!./noPrivateMembers.test.ts', '!./**/*.d.ts'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

const OFFENCES: readonly { what: string; pattern: RegExp }[] = [
  // `_meta` is a field of the protocol; `..._rest` is a spread.
  { what: 'a private member', pattern: /(?<!\.\.)\.(?!_meta\b)_\w/ },
  { what: 'a private member by index', pattern: /\[\s*(['"`])(?!_meta\1)_\w/ },
  { what: 'a private member by reflection', pattern: /\bReflect\.(get|set|has|apply)\b/ },
  { what: 'a cast to any', pattern: /\bas any\b|<any>/ },
  { what: 'a cast through unknown', pattern: /\bas unknown as\b/ },
  { what: 'a silenced type error', pattern: /@ts-(ignore|expect-error|nocheck)/ },
];

/** Each with its reason. */
const ALLOWED: readonly { file: string; line: string; because: string }[] = [
  'a store is required',
  'a result only where there is one',
  'not without a code',
  'sampling is not answered with an action',
  'no such level: it must not fall through to the untyped form',
].map((what) => ({
  file: './client/public/docs.test.ts',
  line: `// @ts-expect-error ${what}`,
  because: 'A wrong use in a text that must not compile.',
}));

const offencesIn = (source: string) =>
  source
    .split('\n')
    .flatMap((line) =>
      OFFENCES.filter(({ pattern }) => pattern.test(line)).map(({ what }) => ({ what, line: line.trim() })),
    );

describe('the search finds', () => {
  test.each([
    'client._transport',
    'client?._transport',
    "client['_transport']",
    'client[ "_transport" ]',
    "Reflect.get(client, '_transport')",
    '(client as any).x',
    'client as unknown as { x: 1 }',
    '// @ts-ignore',
    '// @ts-expect-error',
  ])('%s', (line) => {
    expect(offencesIn(line)).toHaveLength(1);
  });
});

test.each(['params._meta', "params['_meta']", 'const [first, ..._rest] = all;', 'a as unknown', 'x.y_z'])(
  'the search leaves %s alone',
  (line) => {
    expect(offencesIn(line)).toEqual([]);
  },
);

test('the search sees the sources', () => {
  expect(Object.keys(sources)).toContain('./main.ts');
});

test('no source reaches for a private member, or casts around a type', () => {
  const found = Object.entries(sources)
    .flatMap(([file, source]) => offencesIn(source).map((offence) => ({ file, ...offence })))
    .filter(({ file, line }) => !ALLOWED.some((allowed) => allowed.file === file && allowed.line === line));
  expect(found).toEqual([]);
});

test('nothing is allowed that is not there any more', () => {
  for (const { file, line } of ALLOWED) expect(sources[file]).toContain(line);
});
