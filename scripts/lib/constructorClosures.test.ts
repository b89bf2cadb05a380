import { expect, test } from 'vitest';
import { constructorClosures } from './constructorClosures.ts';

const count = (body: string) => constructorClosures('a.ts', `class A { ${body} }`)[0]?.closures;

test('a function that is handed over is counted, as an argument or as a property', () => {
  expect(
    count('constructor() { new B(() => 1, { c: () => 2, d() { return 3; }, get e() { return 4; } }); }'),
  ).toBe(4);
});

test('fields are part of the constructor, but a field that is a function is a method', () => {
  expect(count('b = new B(() => 1); c = () => 2;')).toBe(1);
});

test('a method that the constructor calls is part of it, once, and one that is called later is not', () => {
  const methods = '#c() { return { d: () => this.#e() }; } #e() { return [() => 1, () => 2]; }';
  expect(count(`constructor() { this.b = this.#c(); this.f = this.#c(); } ${methods}`)).toBe(1);
});

test('a listener counts, and what it does does not', () => {
  expect(count('constructor(b) { b.on((x) => x.map((y) => y)); }')).toBe(1);
});
