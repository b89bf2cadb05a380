import { expect, test } from 'vitest';
import { draftFor, emptyDraft, readLoosely, toFormMode, toJsonMode } from './draft.ts';
import { readFields } from './fields.ts';
import { namesAt, valuesAt } from '../json/schemaAt.ts';

const MANY = 200_000;
const many = Array.from({ length: MANY }, (_, i) => i);
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = { type: 'array', items: { type: 'integer' } };

/** What is not bounded takes minutes; a busy machine takes its time too. */
const TASK_MS = 3000;

function timed<T>(work: () => T): T {
  const begin = performance.now();
  const value = work();
  expect(performance.now() - begin).toBeLessThan(TASK_MS);
  return value;
}

function fieldsOf(schema: unknown) {
  const fields = timed(() => readFields(schema));
  if (!fields.ok) throw new Error(fields.error);
  return fields.value;
}

test('a list with 200,000 default items is one field of JSON that says so, and the other fields are there', () => {
  const fields = fieldsOf(object({ name: { type: 'string' }, numbers: { ...list, default: many } }));
  expect(fields).toMatchObject([
    { name: 'name', kind: 'text' },
    {
      name: 'numbers',
      kind: 'json',
      initial: '',
      description: 'Too long for a form. Edit it as JSON. Its default is too long to be filled in.',
    },
  ]);
  const draft = timed(() => toJsonMode(fields, emptyDraft({ ok: true, value: fields })));
  expect(draft.json).toBe('{}');
});

test('a list of 300 default items is drawn as before', () => {
  const [field] = fieldsOf(object({ numbers: { ...list, default: many.slice(0, 300) } }));
  expect(field).toMatchObject({ kind: 'list', initialCount: 300 });
});

test.each<[string, object]>([
  ['members', object(Object.fromEntries(many.map((i) => [`p${i}`, { type: 'string' }])))],
  ['required lists in lists', object({ a: nested(4) }, { required: ['a'] })],
  [
    'entries of a map',
    object({}, { additionalProperties: { type: 'string' }, default: {}, properties: { m: mapOfMaps() } }),
  ],
  ['a schema that is deep and wide', deepAndWide()],
])('too many %s give no form, quickly', (_, schema) => {
  const fields = timed(() => readFields(schema));
  expect(fields).toMatchObject({ ok: false, error: expect.stringMatching(/Enter the arguments as JSON/) });
});

/** 100 items in each of 100 items in … */
function nested(levels: number): object {
  return levels === 0 ? { type: 'integer' } : { type: 'array', minItems: 100, items: nested(levels - 1) };
}

function mapOfMaps(): object {
  const entries = (value: unknown) => Object.fromEntries(many.slice(0, 200).map((i) => [`k${i}`, value]));
  return {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } },
    default: entries(entries(1)),
  };
}

function deepAndWide(): object {
  let schema: object = object({ pad: { type: 'string', description: 'x'.repeat(3_000_000) } });
  for (let i = 0; i < 40; i += 1) schema = object({ inner: schema }, { required: ['inner'] });
  return schema;
}

test('references that multiply without a loop are not followed to the end', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 7 }, (_, i) => [
      `d${i}`,
      i === 6
        ? object({ a: list })
        : { allOf: Array.from({ length: 50 }, () => ({ $ref: `#/$defs/d${i + 1}` })) },
    ]),
  );
  const schema = object({ x: { $ref: '#/$defs/d0' } }, { $defs });
  const [field] = fieldsOf(schema);
  expect(field).toMatchObject({ kind: 'json' });
  timed(() => namesAt(schema, ['x']));
  timed(() => valuesAt(schema, ['x']));
  expect(timed(() => readFields({ ...schema, allOf: [{ $ref: '#/$defs/d0' }] })).ok).toBe(false);
});

test('what is too long only when it is opened becomes JSON then', () => {
  const wide = object(Object.fromEntries(many.slice(0, 1000).map((i) => [`p${i}`, { type: 'string' }])));
  const fields = fieldsOf(object({ later: wide, each: { type: 'array', items: wide } }));
  const draft = {
    mode: 'form',
    values: { 'later#set': 'true', 'later/*json': '{"p1":"a"}', 'each#count': '1', 'each/0': '{"p2":"b"}' },
    json: '',
  } as const;
  expect(timed(() => readLoosely(fields, draft).value)).toEqual({ later: { p1: 'a' }, each: [{ p2: 'b' }] });
});

test.each<[string, object, string]>([
  ['enum', { type: 'string', enum: many.map((i) => `${i}`) }, 'text'],
  ['enum without a type', { enum: many }, 'json'],
  ['oneOf', { oneOf: many.map((value) => ({ const: value })) }, 'json'],
  ['anyOf', { anyOf: many.map((i) => ({ type: 'object', title: `t${i}` })) }, 'json'],
])('200,000 choices (%s) are typed, not listed', (_, schema, kind) => {
  const [field] = fieldsOf(object({ pick: { description: 'Pick.', ...schema } }));
  expect(field).toMatchObject({
    kind,
    choices: [],
    description: 'Pick. It has 200,000 choices, too many for a form.',
  });
});

test('a default text of megabytes is not filled in', () => {
  const [field] = fieldsOf(object({ text: { type: 'string', default: 'x'.repeat(5_000_000) } }));
  expect(field).toMatchObject({ initial: '', description: 'Its default is too long to be filled in.' });
});

test('arguments that are too long for the form stay JSON', () => {
  const fields = readFields(object({ numbers: list }));
  const args = { numbers: many };
  expect(timed(() => draftFor(fields, args)).mode).toBe('json');
  const json = { mode: 'json', values: {}, json: JSON.stringify(args) } as const;
  expect(toFormMode(fields.ok ? fields.value : [], json)).toEqual({
    ok: false,
    error: { '': 'Too long for a form. Edit it as JSON.' },
  });
});
