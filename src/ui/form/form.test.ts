import { withoutItem } from './paths.ts';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  draftOf,
  emptyDraft,
  placeProblems,
  readDraft,
  readLoosely,
  toFormMode,
  toJsonMode,
} from './draft.ts';
import type { Field } from './field.ts';
import { readFields } from './fields.ts';
import { hasSecrets } from './leaf.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    ticks: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    ratio: { type: 'number' },
    name: { type: 'string', title: 'Your name', description: 'As on the door', maxLength: 5 },
    loud: { type: 'boolean', default: false },
    size: { enum: ['S', 'M'], default: 'M' },
    colour: {
      oneOf: [
        { const: '#f00', title: 'Red' },
        { const: '#00f', title: 'Blue' },
      ],
    },
    maybe: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    level: { $ref: '#/$defs/Level' },
  },
  required: ['name', 'ticks'],
  $defs: { Level: { enum: [1, 2], type: 'integer' } },
};

/** In the order of the fields. */
function sorted(value: unknown, fields: readonly Field[]): object {
  const given = value as Record<string, unknown>;
  return Object.fromEntries(fields.flatMap(({ name }) => (name in given ? [[name, given[name]]] : [])));
}

function fieldsOf(schema: unknown): readonly Field[] {
  const fields = readFields(schema);
  if (!fields.ok) throw new Error(fields.error);
  return fields.value;
}

describe('readFields', () => {
  test('reads each simple kind, with its default, title and limits', () => {
    expect(fieldsOf(SCHEMA)).toMatchObject([
      { name: 'ticks', kind: 'integer', required: true, initial: '10', min: 1, max: 100 },
      { name: 'ratio', kind: 'number', required: false, initial: '' },
      { name: 'name', label: 'Your name', description: 'As on the door', kind: 'text', maxLength: 5 },
      { name: 'loud', kind: 'boolean', initial: 'false' },
      { name: 'size', kind: 'choice', initial: '"M"', choices: [{ json: '"S"' }, { json: '"M"' }] },
      { name: 'colour', kind: 'choice', choices: [{ json: '"#f00"', label: 'Red' }, { label: 'Blue' }] },
      { name: 'maybe', kind: 'text', initial: '' },
      { name: 'level', kind: 'choice', choices: [{ json: '1' }, { json: '2' }] },
    ]);
  });

  test.each([
    ['an array without items', { type: 'array' }, 'json'],
    ['an object without properties', { type: 'object' }, 'json'],
    ['a reference to nowhere', { $ref: '#/$defs/Gone' }, 'json'],
    ['anything', true, 'json'],
    ['two types', { type: ['string', 'number'] }, 'variants'],
    ['a reference to an object', { $ref: '#/$defs/Place' }, 'object'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'list'],
    ['members of any name', { additionalProperties: { type: 'string' } }, 'map'],
    ['several of a few', { type: 'array', items: { enum: ['a', 'b'] } }, 'set'],
  ])('has a field for %s', (_what, property, kind) => {
    const schema = {
      type: 'object',
      properties: { where: property },
      $defs: { Place: { type: 'object', properties: { x: { type: 'number' } } } },
    };
    expect(fieldsOf(schema)).toMatchObject([{ name: 'where', kind }]);
  });

  test('a schema without properties has an empty form', () => {
    expect(fieldsOf({ type: 'object' })).toEqual([]);
    expect(fieldsOf(undefined)).toEqual([]);
  });

  test('sees secrets by name and by format, at any depth', () => {
    const inner = { properties: { items: { items: { properties: { token: {} } } } } };
    expect(hasSecrets(inner)).toBe(true);
    expect(hasSecrets({ properties: { apiKey: { type: 'string' } } })).toBe(true);
    expect(hasSecrets({ properties: { pin: { type: 'string', format: 'password' } } })).toBe(true);
    expect(hasSecrets(SCHEMA)).toBe(false);
  });
});

describe('a draft', () => {
  const fields = fieldsOf(SCHEMA);
  const draft = emptyDraft(readFields(SCHEMA));
  const type = (values: Record<string, string>) => ({ ...draft, values: { ...draft.values, ...values } });

  test('leaves out what is empty and not required', () => {
    expect(readDraft(fields, type({ name: 'Ada' }))).toEqual({
      ok: true,
      value: { ticks: 10, name: 'Ada', loud: false, size: 'M' },
    });
  });

  test.each([
    [{ name: '' }, { name: 'Required.' }],
    [{ name: 'Augusta' }, { name: 'At most 5 characters.' }],
    [{ name: 'Ada', ticks: 'ten' }, { ticks: 'Enter a number.' }],
    [{ name: 'Ada', ticks: '1.5' }, { ticks: 'Enter a whole number.' }],
    [{ name: 'Ada', ticks: '0' }, { ticks: 'At least 1.' }],
    [{ name: 'Ada', ticks: '101' }, { ticks: 'At most 100.' }],
  ])('%j is refused beside its field', (values, problems) => {
    expect(readDraft(fields, type(values))).toEqual({ ok: false, error: problems });
  });

  test('goes to JSON and back without a loss', () => {
    const typed = type({ name: 'Ada', colour: '"#00f"', level: '2', ratio: '0.5' });
    const json = toJsonMode(fields, typed);
    expect(JSON.parse(json.json)).toEqual({
      ticks: 10,
      ratio: 0.5,
      name: 'Ada',
      loud: false,
      size: 'M',
      colour: '#00f',
      level: 2,
    });
    const back = toFormMode(fields, json);
    expect(back.ok && readDraft(fields, back.value)).toEqual(readDraft(fields, typed));
  });

  test.each([
    ['{', /^Invalid JSON: /],
    ['[1]', /^Arguments must be a JSON object/],
    ['{"where": 1}', /^Not in the schema: where\.$/],
  ])('JSON that the form cannot take is refused: %s', (json, sentence) => {
    const formed = toFormMode(fields, { ...draft, mode: 'json', json });
    expect(formed.ok ? '' : formed.error['']).toMatch(sentence);
  });

  test('begins as JSON where there is no form', () => {
    expect(emptyDraft(readFields({ type: 'array' }))).toMatchObject({ mode: 'json' });
  });

  test('what is taken out of a list takes its texts along', () => {
    const nested = fieldsOf({
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    });
    const args = { list: [{ a: 'x' }, { a: 'y' }, { a: 'z' }] };
    const filled = draftOf(nested, args);
    if (!filled.ok) throw new Error('It must fit.');
    const values = withoutItem(filled.value.values, 'list', 1, 3);
    expect(readDraft(nested, { ...filled.value, values })).toEqual({
      ok: true,
      value: { list: [{ a: 'x' }, { a: 'z' }] },
    });
  });

  test('what a validator finds stands beside the field that it is about, or the nearest around it', () => {
    const nested = fieldsOf({
      properties: {
        a: { type: 'object', properties: { 'b/c': { type: 'string' } }, required: ['b/c'] },
        extra: { additionalProperties: { type: 'number' } },
      },
      required: ['a'],
    });
    const args = { a: { 'b/c': 'x' }, extra: { one: 1 } };
    const filled = draftOf(nested, args);
    if (!filled.ok) throw new Error('It must fit.');
    const found = [
      { pointer: '/a/b~1c', message: 'Too short.' },
      { pointer: '/extra/one', message: 'Too small.' },
      { pointer: '/a/new', message: 'Unknown.' },
    ];
    expect(placeProblems(found, readLoosely(nested, filled.value))).toEqual({
      'a/b~1c': 'Too short.',
      'extra/0': 'Too small.',
      a: '/new: Unknown.',
    });
  });

  test('goes through JSON and back, whatever is in it', () => {
    const value = fc.record(
      {
        text: fc.string({ minLength: 1 }),
        numbers: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
        free: fc.jsonValue(),
        map: fc.dictionary(fc.string({ minLength: 1 }), fc.integer(), { minKeys: 1 }),
        inner: fc.record({ flag: fc.boolean() }),
      },
      { requiredKeys: [] },
    );
    const nested = fieldsOf({
      properties: {
        text: { type: 'string' },
        numbers: { type: 'array', items: { type: 'number' } },
        free: {},
        map: { type: 'object', additionalProperties: { type: 'integer' } },
        inner: { type: 'object', properties: { flag: { type: 'boolean' } } },
      },
    });
    fc.assert(
      fc.property(value, (args) => {
        const json = JSON.stringify(args);
        const filled = draftOf(nested, JSON.parse(json) as object);
        if (!filled.ok) throw new Error(filled.error['']);
        expect(JSON.stringify(readLoosely(nested, filled.value).value)).toBe(
          JSON.stringify(sorted(JSON.parse(json), nested)),
        );
      }),
    );
  });
});
