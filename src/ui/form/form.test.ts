import { describe, expect, test } from 'vitest';
import { emptyDraft, readDraft, toFormMode, toJsonMode } from './draft.ts';
import { hasSecrets, readFields, type Field } from './fields.ts';

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
    ['an array', { type: 'array' }, 'array'],
    ['an object', { type: 'object' }, 'object'],
    ['two types', { type: ['string', 'number'] }, 'string or number'],
    ['a reference to an object', { $ref: '#/$defs/Place' }, 'object'],
    ['a reference to nowhere', { $ref: '#/$defs/Gone' }, 'several types'],
    ['anything', true, 'several types'],
  ])('says that there is no field for %s', (_what, property, word) => {
    const fields = readFields({
      type: 'object',
      properties: { where: property },
      $defs: { Place: { type: 'object' } },
    });
    expect(fields).toEqual({
      ok: false,
      error: `The form has no field for “where” (${word}). Write the arguments as JSON.`,
    });
  });

  test('a schema without properties has an empty form', () => {
    expect(fieldsOf({ type: 'object' })).toEqual([]);
    expect(fieldsOf(undefined)).toEqual([]);
  });

  test('sees secrets by name and by format', () => {
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
    [{ name: '' }, { name: 'This is required.' }],
    [{ name: 'Augusta' }, { name: 'At most 5 characters.' }],
    [{ name: 'Ada', ticks: 'ten' }, { ticks: '“ten” is not a number.' }],
    [{ name: 'Ada', ticks: '1.5' }, { ticks: 'A whole number, please.' }],
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
    expect(toFormMode(fields, json)).toMatchObject({
      ok: true,
      value: { mode: 'form', values: typed.values },
    });
  });

  test.each([
    ['{', /^This is not JSON yet: /],
    ['[1]', /^Arguments are an object/],
    ['{"where": 1}', /^The form has no field for where\.$/],
  ])('JSON that the form cannot take is refused: %s', (json, sentence) => {
    const formed = toFormMode(fields, { ...draft, mode: 'json', json });
    expect(formed.ok ? '' : formed.error['']).toMatch(sentence);
  });

  test('begins as JSON where there is no form', () => {
    expect(emptyDraft(readFields({ properties: { list: { type: 'array' } } }))).toMatchObject({
      mode: 'json',
    });
  });
});
