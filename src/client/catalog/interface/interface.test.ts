import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeLines, sumOfChanges } from './changeWords.ts';
import { diffInterfaces, diffValues } from './diff.ts';
import { parseHistory, remember, type InterfaceHistory } from './history.ts';
import { parseSnapshot, readSnapshotFile, snapshotFile, takeSnapshot, type Offered } from './snapshot.ts';

const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const NO_LISTS = { tools: [], prompts: [], resources: [], resourceTemplates: [] };

const offering = (lists: Partial<Offered['lists']>, more: Partial<Offered> = {}) =>
  takeSnapshot({
    lists: { ...NO_LISTS, ...lists },
    server: { name: 'shop', version: '1.0' },
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    ...more,
  });

const linesOf = (before: ReturnType<typeof offering>, after: ReturnType<typeof offering>) =>
  changeLines(diffInterfaces(before, after));

describe('the difference between two interfaces', () => {
  it('names what was added and what was removed, in each list', () => {
    const before = offering({
      tools: [tool('sum')],
      resources: [{ uri: 'file:///a', name: 'a' }],
      prompts: [{ name: 'greet' }],
    });
    const after = offering({
      tools: [tool('product')],
      resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'any' }],
      prompts: [{ name: 'greet' }],
    });
    expect(linesOf(before, after)).toEqual([
      'Tool “sum” removed',
      'Tool “product” added',
      'Resource “file:///a” removed',
      'Resource template “file:///{path}” added',
    ]);
    expect(sumOfChanges(diffInterfaces(before, after))).toBe('2 added, 2 removed');
  });

  it('shows the schema, the description and the annotations field by field', () => {
    const schema = (type: string, more: object = {}) => ({
      type: 'object',
      properties: { a: { type }, ...more },
    });
    const before = offering({
      tools: [tool('add', { description: 'old', inputSchema: schema('number', { b: { type: 'number' } }) })],
    });
    const after = offering({
      tools: [
        tool('add', {
          description: 'new',
          inputSchema: { ...schema('string'), required: ['a'] },
          annotations: { readOnlyHint: true },
        }),
      ],
    });
    expect(linesOf(before, after)).toEqual([
      'Tool “add” changed',
      '  inputSchema.properties.a.type: "number" → "string"',
      '  inputSchema.properties.b removed: {"type":"number"}',
      '  inputSchema.required added: ["a"]',
      '  description: "old" → "new"',
      '  annotations added: {"readOnlyHint":true}',
    ]);
  });

  it('compares the arguments of a prompt by name', () => {
    const prompt = (...args: object[]) => offering({ prompts: [{ name: 'greet', arguments: args }] });
    const before = prompt({ name: 'who' }, { name: 'tone', required: false });
    const after = prompt({ name: 'tone', required: true }, { name: 'who' });
    expect(linesOf(before, after)).toEqual([
      'Prompt “greet” changed',
      '  arguments[tone].required: false → true',
    ]);
  });

  it('has the capabilities and the instructions of the server', () => {
    const after = offering({}, { capabilities: { tools: {}, logging: {} }, instructions: 'Be kind.' });
    expect(linesOf(offering({}), after)).toEqual([
      'Server changed',
      '  capabilities.logging added: {}',
      '  instructions added: "Be kind."',
    ]);
  });

  it('is nothing for another order, another order of names, or another version', () => {
    const before = offering({ tools: [tool('a', { title: 'A', description: 'd' }), tool('b')] });
    const after = offering(
      { tools: [tool('b'), { description: 'd', title: 'A', inputSchema: { type: 'object' }, name: 'a' }] },
      { server: { name: 'shop', version: '2.0' } },
    );
    expect(linesOf(before, after)).toEqual([]);
    expect(remember([{ at: 1, snapshot: before }], after, 2)).toHaveLength(1);
  });

  it('is cut where there is too much of it', () => {
    const after = offering({ tools: [tool('a'), tool('b'), tool('c')] });
    expect(changeLines(diffInterfaces(offering({}), after), 2)).toEqual([
      'Tool “a” added',
      'Tool “b” added',
      'and 1 more line',
    ]);
  });

  it('is the same in both directions, and none between a value and its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(diffValues(a, structuredClone(a))).toEqual([]);
        const paths = (from: unknown, to: unknown) => diffValues(from, to).map(({ path }) => path);
        expect(paths(a, b).sort()).toEqual(paths(b, a).sort());
      }),
    );
  });

  it('copes with a schema that is nested deeply', () => {
    const deep = (leaf: string) => {
      let schema: object = { type: leaf };
      for (let i = 0; i < 500; i += 1) schema = { items: schema };
      return schema;
    };
    expect(diffValues(deep('number'), deep('string'))).toHaveLength(1);
  });
});

describe('the interfaces that are kept', () => {
  const named = (name: string) => offering({ tools: [tool(name)] });

  it('have the date on which each was first seen', () => {
    const first = remember([], named('a'), 1);
    const again = remember(first, named('a'), 2);
    expect(again).toBe(first);
    expect(remember(again, named('b'), 3).map(({ at }) => at)).toEqual([1, 3]);
  });

  it('never grow beyond their limits, and always have the newest', () => {
    const names = fc.array(fc.string({ maxLength: 50 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        names,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 1000 }),
        (all, n, chars) => {
          let history: InterfaceHistory = [];
          all.forEach((name, at) => {
            history = remember(history, named(name), at, { versions: n, chars });
            expect(history.at(-1)?.snapshot).toEqual(named(name));
            expect(history.length).toBeLessThanOrEqual(n);
          });
          const older = history.slice(0, -1).map(({ snapshot }) => JSON.stringify(snapshot).length);
          expect(older.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(chars);
        },
      ),
    );
  });

  it('are read back from storage, without what is damaged', () => {
    const history = remember([], named('a'), 1);
    const stored: unknown = JSON.parse(JSON.stringify([...history, { at: 2, snapshot: { tools: 3 } }, 'x']));
    expect(parseHistory(stored)).toEqual(history);
    expect(parseHistory(undefined)).toEqual([]);
  });
});

describe('the file of a snapshot', () => {
  it('is read as it was written', () => {
    const snapshot = offering({ tools: [tool('b'), tool('a')] }, { instructions: 'Hi.' });
    expect(readSnapshotFile(snapshotFile(snapshot))).toEqual({ ok: true, value: snapshot });
    expect(snapshot.tools.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each([
    ['{', 'The file isn’t JSON.'],
    ['[]', 'The file isn’t an interface snapshot.'],
    ['{"schemaVersion":1,"tools":[]}', 'The file isn’t an interface snapshot.'],
    ['{"schemaVersion":2}', 'The snapshot has schemaVersion 2. Only 1 is known.'],
  ])('is refused in words: %s', (text, why) => {
    const read = readSnapshotFile(text);
    expect(read.ok ? '' : read.error).toContain(why);
    expect(parseSnapshot(text)).toBeUndefined();
  });
});
