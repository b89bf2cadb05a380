import { describe, expect, test } from 'vitest';
import { namesAt, valuesAt } from './schemaAt.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    state: { enum: ['open', 'closed'], default: 'open', description: 'Which ones' },
    loud: { type: 'boolean' },
    owner: { $ref: '#/$defs/Person' },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    either: { anyOf: [{ type: 'object', properties: { x: { type: 'number' } } }, { type: 'null' }] },
    node: { $ref: '#' },
  },
  required: ['state'],
  $defs: {
    Person: {
      type: 'object',
      properties: { name: { type: 'string', examples: ['Ada'] } },
      required: ['name'],
    },
  },
};

const names = (path: readonly (string | number)[]) => namesAt(SCHEMA, path).map(({ name }) => name);
const values = (path: readonly (string | number)[]) => valuesAt(SCHEMA, path).map(({ json }) => json);

describe('what may stand at a place of a JSON text', () => {
  test('the names of an object, through references and alternatives', () => {
    expect(names([])).toEqual(['state', 'loud', 'owner', 'tags', 'either', 'node']);
    expect(names(['owner'])).toEqual(['name']);
    expect(names(['either'])).toEqual(['x']);
    expect(names(['node', 'node', 'owner'])).toEqual(['name']);
    expect(names(['nowhere'])).toEqual([]);
  });

  test('with what to begin with, and whether it is required', () => {
    expect(namesAt(SCHEMA, [])[0]).toEqual({
      name: 'state',
      type: '',
      required: true,
      description: 'Which ones',
      stub: '"open"',
    });
  });

  test('the values of a list of choices, a switch, an item, an example', () => {
    expect(values(['state'])).toEqual(['"open"', '"closed"']);
    expect(values(['loud'])).toEqual(['true', 'false']);
    expect(values(['tags', 3])).toEqual(['"a"', '"b"']);
    expect(values(['owner', 'name'])).toEqual(['"Ada"']);
    expect(values(['either'])).toEqual(['{}', 'null']);
  });
});
