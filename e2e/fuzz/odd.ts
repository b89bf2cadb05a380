/** Odd values: what a server may send in the place of a good value, each under a name that a report can print. */

/** Deep enough for a recursion to overflow the stack, and not so deep that no JSON parser reads it. */
const DEPTH = 5000;
const BIG_TEXT = 300_000;
const MANY = 200_000;
/** 33 letters take minutes in an engine that backtracks. */
const EVIL_PATTERN = '^(a+)+$';
const EVIL_TEXT = `${'a'.repeat(33)}!`;

/** JSON text that `JSON.stringify` can't write, although every parser reads it. */
const RAW = {
  'deep list': '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  'deep object': `${'{"a":'.repeat(DEPTH)}0${'}'.repeat(DEPTH)}`,
};
const raw = (name: keyof typeof RAW): string => `‹raw ${name}›`;

/** A value with odd parts as JSON text. */
export function printOdd(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.replaceAll(/"‹raw ([a-z ]+)›"/g, (_, name: keyof typeof RAW) => RAW[name]);
}

/** Takes the place of the good value; `undefined` removes the field. */
type Odd = (good: unknown) => unknown;

const parsed =
  (json: string): Odd =>
  () =>
    JSON.parse(json) as unknown;
/** A copy each time: a second edit may reach into the first one's value. */
const always =
  (value: unknown): Odd =>
  () =>
    structuredClone(value);
const objectOf = (good: unknown): object =>
  typeof good === 'object' && good !== null && !Array.isArray(good) ? good : {};
const listOf = (good: unknown): readonly unknown[] => (Array.isArray(good) ? good : [good]);
const textOf = (good: unknown): string => (typeof good === 'string' ? good : '');

export const ODD = {
  // Types and absences.
  missing: always(undefined),
  null: always(null),
  true: always(true),
  false: always(false),
  zero: always(0),
  'minus zero': parsed('-0'),
  'minus one': always(-1),
  half: always(0.5),
  'largest number': always(1e308),
  'nine quadrillion': always(9e15),
  'after the last date': always(8.64e15 + 1),
  'before the first date': always(-9e15),
  'empty text': always(''),
  'empty object': always({}),
  'empty list': always([]),
  'list of nulls': always([null, null]),
  // Shapes.
  'in a list': (good) => [good],
  twice: (good) => [...listOf(good), ...listOf(good)],
  'in an object': (good) => ({ value: good }),
  'in nested lists': (good) => [[[good]]],
  'deep list': always(raw('deep list')),
  'deep object': always(raw('deep object')),
  'long list': () => Array.from({ length: MANY }, (_, i) => i % 10),
  'many objects': () => Array.from({ length: 2000 }, () => ({ type: 'text', text: 'x', name: 'x' })),
  'wide object': () => Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i])),
  'extra fields': (good) => ({ ...objectOf(good), extra: 1, _meta: { a: [{}] }, then: null, length: -1 }),
  // Objects that break a coercion or a prototype.
  'no toString': parsed('{"toString":null}'),
  'list without toString': parsed('[{"toString":null},{"valueOf":null,"toString":1}]'),
  'object of no toString': parsed(
    '{"a":{"toString":null},"type":{"toString":null},"name":{"toString":null}}',
  ),
  toJSON: parsed('{"toJSON":null,"valueOf":null}'),
  'proto key': parsed('{"__proto__":{"toString":null},"constructor":{"prototype":null}}'),
  'with proto key': (good): unknown =>
    JSON.parse(
      `{"__proto__":{"polluted":true},${JSON.stringify(objectOf(good)).slice(1)}`.replace(',}', '}'),
    ),
  'array-like': always({ length: 9e15, 0: 'x' }),
  iterator: always({ next: 1, done: false, then: 1 }),
  // Texts.
  'proto name': always('__proto__'),
  'constructor name': always('constructor'),
  'toString name': always('toString'),
  'lone surrogate': always('a\ud800'),
  'lone low surrogate': always('\udc00b'),
  bidi: always('\u202egnp.exe\u2066 \u200f\u200b\ufeff'),
  'control characters': always('a\0b\u0007\u001b[31m\r\n\tc\u2028\u2029'),
  markup: always('"><img src=x onerror=alert(1)><script>alert(1)</script>'),
  'big text': (good) => (textOf(good) || 'x').repeat(1 + Math.floor(BIG_TEXT / (textOf(good).length || 1))),
  'long word': () => 'W'.repeat(BIG_TEXT),
  'many lines': () => 'a\n'.repeat(100_000),
  'a number as text': always('1e999'),
  'a date beyond': always('+275760-09-13T00:00:00.001Z'),
  'nested quotes': () => '>'.repeat(3000),
  'nested brackets': () => '['.repeat(5000),
  'nested list items': () => '- '.repeat(2000),
  'open emphasis': () => '*a _b '.repeat(5000),
  'broken table': () => `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|'.repeat(5000)}`,
  'deep JSON text': () => '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  'evil pattern': always(EVIL_PATTERN),
  'evil text': always(EVIL_TEXT),
  'bad pattern': always('(['),
  'bad URL': always('http://[::1'),
  'script URL': always('javascript:alert(1)'),
  'bad percent': always('http://a.example/%E0%A4%A?%=%'),
  'bad template': always('x:{+a*,b:99999}{{?c}{&'),
  'a wire id': always('a.b.poll.c'),
  slashes: always('/a//../%2f~0~1'),
  newline: always('a\nid: 7\n\ndata: x'),
  // Schemas.
  'ref to itself': always({ $ref: '#' }),
  'ref in a circle': always({
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
  }),
  'ref to nowhere': always({ $ref: '#/nowhere/%E0%A4%A' }),
  'needs itself': always({
    type: 'object',
    required: ['self'],
    properties: { self: { $ref: '#/properties/nested' } },
  }),
  'doubling allOf': () => ({
    $defs: Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `d${i}`,
        { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    ),
    allOf: [{ $ref: '#/$defs/d0' }],
  }),
  'deep schema': () => nested((inner) => ({ type: 'object', required: ['a'], properties: { a: inner } })),
  'deep oneOf': () => nested((inner) => ({ oneOf: [inner, { type: 'string' }] })),
  'evil schema': always({ type: 'string', pattern: EVIL_PATTERN, default: EVIL_TEXT }),
  'bad schema': always({ type: 'string', pattern: '([', minLength: -1, enum: [{ toString: null }] }),
  'long default': () => ({
    type: 'array',
    items: { type: 'string' },
    default: Array.from({ length: MANY }, () => 'x'),
  }),
  'many properties': () => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`p${i}`, { type: 'string' }])),
  }),
  'required without toString': (good) => ({
    ...objectOf(good),
    type: 'object',
    required: [JSON.parse('{"toString":null}')],
    oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }],
  }),
  'type list': always({ type: ['object', 'null', { toString: null }, 'string'] }),
} satisfies Readonly<Record<string, Odd>>;

export type OddName = keyof typeof ODD;
export const ODD_NAMES = Object.keys(ODD) as readonly OddName[];

/** These cost milliseconds each, so a short run has fewer of them. */
export const HUGE: ReadonlySet<OddName> = new Set<OddName>([
  'long list',
  'wide object',
  'long default',
  'many properties',
  'many objects',
  'big text',
  'long word',
  'many lines',
  'deep list',
  'deep object',
]);

function nested(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = {};
  for (let i = 0; i < 200; i += 1) value = wrap(value);
  return value;
}
