import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call } from '../contract.ts';
import { parseCallsFile, type Expectation } from './callsFile.ts';
import { judgeExpected } from './judgeExpected.ts';
import { parsePath, valueAt, withoutPaths } from './jsonPath.ts';

const DEFAULTS: Expectation = { status: 'result', paths: [], snapshot: false, ignore: [], reload: true };

const RESULT = {
  content: [{ type: 'text', text: '3 rows' }],
  structuredContent: { total: 3, 'odd key': [1, { deep: true }], at: 1700 },
};
const settled = (more: Partial<Call> = {}): Call => ({
  id: 'c',
  server: 's',
  tool: 't',
  args: {},
  name: 'settled',
  startedAt: 0,
  received: 1,
  replayed: 0,
  duplicates: 0,
  result: RESULT,
  ...more,
});
const judge = (expected: Partial<Expectation>, call = settled(), snapshot?: unknown) =>
  judgeExpected(call, { ...DEFAULTS, ...expected }, { outputSchema: SCHEMA, snapshot });
const SCHEMA = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };

describe('paths', () => {
  test.each([
    ['$', RESULT],
    ['$.content[0].text', '3 rows'],
    ["$.structuredContent['odd key'][1].deep", true],
    ['$.structuredContent["odd key"][0]', 1],
    ['$.content[7].text', undefined],
    ['$.content.length', undefined],
    ['$.constructor', undefined],
  ])('%s', (path, value) => {
    expect(valueAt(RESULT, parsePath(path) ?? ['?'])).toEqual(value);
  });

  test.each(['content', '$.', '$[x]', '$..a', '$.a b', "$['a"])('%s is none', (path) => {
    expect(parsePath(path)).toBeUndefined();
  });

  test('what is left out is gone, and nothing else', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const [key = ''] = Object.keys(value);
        const left = withoutPaths(value, [[key]]) as object;
        expect(Object.keys(left)).toEqual(Object.keys(value).filter((one) => one !== key));
      }),
    );
  });
});

describe('what is expected of a call', () => {
  test.each<[string, Partial<Expectation>, Call | undefined, readonly string[]]>([
    ['a result', {}, undefined, []],
    [
      'no error',
      {},
      settled({ result: { isError: true, content: [{ text: 'No.' }] } }),
      ['The call ended with an error: No.'],
    ],
    ['an error', { status: 'error' }, undefined, ['The call ended with a result instead of an error.']],
    ['an error of the protocol', { status: 'error' }, settled({ error: { code: -1, message: 'No.' } }), []],
    ['not lost', {}, settled({ name: 'lost', why: 'No event IDs.' }), ['The call is lost. No event IDs.']],
    ['the output schema', { schema: true }, undefined, []],
    [
      'another value at a path',
      { paths: [{ path: '$.structuredContent.total', equals: 4 }] },
      undefined,
      ['$.structuredContent.total: expected 4, received 3.'],
    ],
    ['a match', { paths: [{ path: '$.content[0].text', matches: '^\\d+ rows$' }] }, undefined, []],
    [
      'no match',
      { paths: [{ path: '$.content[0].text', matches: 'columns' }] },
      undefined,
      ['$.content[0].text: expected a match of /columns/, received "3 rows".'],
    ],
    ['nothing there', { paths: [{ path: '$.isError', exists: false }] }, undefined, []],
    [
      'something there',
      { paths: [{ path: '$.isError', exists: true }] },
      undefined,
      ['$.isError: expected a value, received nothing.'],
    ],
  ])('%s', (_title, expected, call, faults) => {
    expect(judge(expected, call)).toEqual(faults);
  });

  test('a schema of the file', () => {
    expect(judge({ schema: { required: ['missing'] } })).toEqual([
      expect.stringContaining('structuredContent'),
    ]);
  });

  test('the same as the snapshot, except where that does not matter', () => {
    const now = {
      ...RESULT,
      structuredContent: { ...RESULT.structuredContent, at: 9, total: 5 },
      _meta: { x: 1 },
    };
    const call = settled({ result: now });
    const ignore = ['$.structuredContent.at'];
    expect(judge({ snapshot: true, ignore }, call, RESULT)).toEqual([
      'The result differs from the snapshot at $.structuredContent.total: 3 before, 5 now.',
    ]);
    expect(judge({ snapshot: true, ignore: [...ignore, '$.structuredContent.total'] }, call, RESULT)).toEqual(
      [],
    );
    expect(judge({ snapshot: true })).toEqual([expect.stringContaining('No snapshot.')]);
  });
});

describe('a file of calls', () => {
  const parse = (value: unknown) => parseCallsFile(JSON.stringify(value), 'calls.json');

  test('has defaults for everything but name and tool', () => {
    const [call] = parse({ schemaVersion: 1, calls: [{ name: 'a', tool: 't' }] });
    expect(call).toEqual({ name: 'a', tool: 't', args: {}, expect: DEFAULTS });
  });

  test.each([
    [{ schemaVersion: 1, calls: [] }, '"calls" isn\'t valid'],
    [{ schemaVersion: 2, calls: [{ name: 'a', tool: 't' }] }, '"schemaVersion" isn\'t valid'],
    [{ schemaVersion: 1, calls: [{ name: 'a', tool: 't', expects: {} }] }, '"calls.0" isn\'t valid'],
    [
      {
        schemaVersion: 1,
        calls: [
          { name: 'a', tool: 't' },
          { name: 'a', tool: 't' },
        ],
      },
      'are named "a"',
    ],
  ])('%j is refused', (value, why) => {
    expect(() => parse(value)).toThrow(why);
  });
});
