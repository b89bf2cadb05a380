import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeHeaderValue, mirrorArguments, readMirrored } from './paramHeaders.ts';

const schema = (properties: object) => ({ type: 'object', properties });
const problem = (inputSchema: unknown) => {
  const read = readMirrored(inputSchema);
  return read.ok ? undefined : read.error;
};
const decode = (text: string) => {
  const base64 = /^=\?base64\?(.*)\?=$/.exec(text)?.[1];
  if (base64 === undefined) return text;
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
};

describe('mirrored parameters', () => {
  it('go into headers, at any depth, as text', () => {
    const inputSchema = schema({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      size: { type: 'integer', 'x-mcp-header': 'Size' },
      deep: schema({ flag: { type: 'boolean', 'x-mcp-header': 'Flag' } }),
      query: { type: 'string' },
    });
    const args = { region: 'eu', size: 7, deep: { flag: false }, query: 'q' };
    expect(mirrorArguments(inputSchema, args)).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Size': '7',
      'Mcp-Param-Flag': 'false',
    });
  });

  it('are left out when they are null, absent, or would not come back as they were', () => {
    const inputSchema = schema({
      a: { type: 'string', 'x-mcp-header': 'A' },
      b: { type: 'string', 'x-mcp-header': 'B' },
      c: { type: 'integer', 'x-mcp-header': 'C' },
    });
    expect(mirrorArguments(inputSchema, { a: null, c: 2 ** 60 })).toEqual({});
  });

  it.each([
    ['an empty name', schema({ a: { type: 'string', 'x-mcp-header': '' } })],
    ['a space', schema({ a: { type: 'string', 'x-mcp-header': 'My Region' } })],
    ['a colon', schema({ a: { type: 'string', 'x-mcp-header': 'Region:1' } })],
    ['a letter beyond ASCII', schema({ a: { type: 'string', 'x-mcp-header': 'Région' } })],
    ['a number', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['an object', schema({ a: { type: 'object', 'x-mcp-header': 'A' } })],
    ['the root', { ...schema({}), 'x-mcp-header': 'A' }],
    ['the items of a list', schema({ a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } })],
    ['a branch', { anyOf: [schema({ a: { type: 'string', 'x-mcp-header': 'A' } })] }],
    ['a definition', { $defs: { d: { type: 'string', 'x-mcp-header': 'A' } } }],
    [
      'two of one name',
      schema({
        a: { type: 'string', 'x-mcp-header': 'Same' },
        b: { type: 'string', 'x-mcp-header': 'same' },
      }),
    ],
  ])('make a tool invalid: %s', (_, inputSchema) => {
    expect(problem(inputSchema)).toMatchObject({ code: 'param-header' });
  });

  it('are not looked for in examples and defaults', () => {
    expect(problem(schema({ a: { type: 'object', default: { 'x-mcp-header': 'A' } } }))).toBeUndefined();
  });
});

describe('the value of a header', () => {
  it.each(['plain text', 'us-west1', '=?x?='])('stays as it is: %s', (text) => {
    expect(encodeHeaderValue(text)).toBe(text);
  });

  it('can always be sent, and always be read back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const value = encodeHeaderValue(text);
        expect(new Headers({ x: value }).get('x')).toBe(value);
        expect(decode(value)).toBe(text);
      }),
    );
  });

  it('is never mistaken for an encoded one', () => {
    expect(decode(encodeHeaderValue('=?base64?SGk=?='))).toBe('=?base64?SGk=?=');
  });
});
