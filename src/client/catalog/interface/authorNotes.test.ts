import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorNotes, type NoteFacts } from './authorNotes.ts';
import { nodesOf } from './schemaNodes.ts';
import { SCHEMA_RULES, type CheckedTool } from './schemaRules.ts';
import { sizeToolList } from './toolSizes.ts';

const NOTHING: NoteFacts = { deprecated: [], tools: [], cancelledByReload: [] };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const input = (inputSchema: object): CheckedTool => ({ name: 'sum', inputSchema });
const rulesOf = (tool: CheckedTool) =>
  SCHEMA_RULES.filter(({ applies }) => applies(tool)).map(({ id }) => id);

describe('constructs that clients reject', () => {
  it.each<[string, CheckedTool, readonly string[]]>([
    ['a plain schema', input(object({ a: { type: 'array', items: {} } })), []],
    ['anyOf at the top', input(object({}, { anyOf: [{ required: ['a'] }] })), ['root-composition']],
    ['anyOf below the top', input(object({ a: { anyOf: [{ type: 'string' }] } })), []],
    ['an array without items', input(object({ a: { type: ['array', 'null'] } })), ['array-without-items']],
    ['one within a variant', input(object({ a: { oneOf: [{ type: 'array' }] } })), ['array-without-items']],
    ['a reference', input(object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: {} } })), ['reference']],
    ['a property named $ref', input(object({ a: object({ $ref: {} }) })), ['property-name']],
    ['an exclusive bound', input(object({ n: { exclusiveMinimum: 0 } })), ['exclusive-bound']],
    ['one that is a default', input(object({ n: { default: { exclusiveMinimum: 0 } } })), []],
    ['a property name with a space', input(object({ 'a b': {} })), ['property-name']],
    ['a tool name with a dot', { name: 'a.b', inputSchema: object({}) }, ['tool-name']],
    ['a long tool name', { name: 'a'.repeat(65), inputSchema: object({}) }, ['tool-name']],
    [
      'an output schema of a list',
      { ...input({}), outputSchema: { type: 'array', items: {} } },
      ['output-type'],
    ],
    ['no schema at all', { name: 'sum' }, []],
  ])('%s', (_, tool, rules) => expect(rulesOf(tool)).toEqual(rules));

  it('are found in any schema without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        expect(() => rulesOf({ name: 'a', inputSchema: schema, outputSchema: schema })).not.toThrow();
      }),
    );
  });

  it('are looked for up to a limit', () => {
    expect(nodesOf(Array.from({ length: 100_000 }, () => ({}))).length).toBeLessThanOrEqual(20_000);
  });

  it('have a public report each, which the docs cite', () => {
    const docs = readFileSync('docs/portability.md', 'utf8');
    for (const { id, sources } of SCHEMA_RULES) {
      expect(sources.length, id).toBeGreaterThan(0);
      for (const source of sources) {
        const [repository, number] = source.split('#');
        expect(docs, source).toMatch(new RegExp(`github\\.com/${repository}/(issues|pull)/${number}\\b`));
      }
    }
  });
});

describe('what an author should know', () => {
  it('is nothing for a plain server', () => {
    expect(authorNotes({ ...NOTHING, tools: [input(object({}))] })).toEqual([]);
  });

  it('is one sentence for each construct, with the tools that have it', () => {
    const tools = ['a', 'b', 'c', 'd'].map((name) => ({
      name,
      inputSchema: object({ x: { type: 'array' } }),
    }));
    expect(authorNotes({ ...NOTHING, tools }).map(({ text }) => text)).toEqual([
      '“a”, “b”, “c” and 1 other tool have an array without items in the input schema. VS Code rejects the tool.',
    ]);
  });

  it('is what is deprecated', () => {
    const deprecated = ['logging', 'sampling', 'roots', 'dynamic-registration', 'http-sse'] as const;
    const texts = authorNotes({ ...NOTHING, deprecated }).map(({ text }) => text);
    expect(texts).toHaveLength(5);
    for (const text of texts) expect(text).toContain('deprecated');
  });

  it('is which tools should be tasks, by their longest call', () => {
    const cancelledByReload = [
      { tool: 'report', durationMs: 2500 },
      { tool: 'report', durationMs: 5200 },
      { tool: 'sum', durationMs: 2000 },
    ];
    expect(authorNotes({ ...NOTHING, cancelledByReload })).toEqual([
      {
        kind: 'make-it-a-task',
        text: '“report” took 5.2 s, and a reload cancels it. Run it as a task so that it survives reloads.',
      },
    ]);
  });
});

describe('the size of the tool list', () => {
  it('is counted in bytes of UTF-8, the largest tool first', () => {
    const tools = [{ name: 'a' }, { name: 'b', description: 'é€' }];
    expect(sizeToolList(tools)).toEqual({
      bytes: 12 + 34,
      tokens: 12,
      tools: [
        { name: 'b', bytes: 34, tokens: 9 },
        { name: 'a', bytes: 12, tokens: 3 },
      ],
    });
  });

  it('is nothing for a server without tools', () => {
    expect(sizeToolList([])).toEqual({ bytes: 0, tokens: 0, tools: [] });
  });
});
