import { describe, expect, it } from 'vitest';
import { reason as reasonType } from '../../timeline/share/reasonType.ts';
import type { ReasonCode } from './reason.ts';
import { REASONS, type Facts } from './reasonFacts.ts';

interface Shape {
  readonly needs?: readonly (keyof Facts)[];
  readonly may?: readonly (keyof Facts)[];
  readonly how?: readonly string[];
}

const codes = Object.keys(REASONS) as readonly ReasonCode[];
const shapeOf = (code: ReasonCode): Shape => REASONS[code];

/** Words of others: an export without content has none of them. */
const TEXTS: ReadonlySet<keyof Facts> = new Set<keyof Facts>([
  'text',
  'host',
  'url',
  'newUrl',
  'origin',
  'contentType',
  'scope',
  'name',
  'was',
  'now',
  'version',
  'versions',
  'names',
  'fix',
]);

describe('the row of a code', () => {
  it.each(codes)('%s names each fact once, and cases only with `how`', (code) => {
    const { needs = [], may = [], how } = shapeOf(code);
    const facts = [...needs, ...may];
    expect(new Set(facts).size).toBe(facts.length);
    expect(facts).not.toContain('how');
    if (how) {
      expect(how.length).toBeGreaterThan(0);
      expect(new Set(how).size).toBe(how.length);
    }
  });

  it.each(codes)('%s needs no words of others', (code) => {
    expect((shapeOf(code).needs ?? []).filter((fact) => TEXTS.has(fact))).toEqual([]);
  });

  it.each(codes)('%s is written as a code, so that a filter finds it', (code) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});

describe('a file that is imported', () => {
  const read = (value: object) => reasonType.read(value);

  it('has a reason with what it needs', () => {
    expect(read({ code: 'held', status: 409 })).toEqual({ code: 'held', status: 409 });
    expect(read({ code: 'held' })).toBeUndefined();
    expect(read({ code: 'held', status: '409' })).toBeUndefined();
  });

  it('has a case that this code has', () => {
    expect(read({ code: 'taken-back', how: 'task' })).toEqual({ code: 'taken-back', how: 'task' });
    expect(read({ code: 'taken-back', how: 'call' })).toBeUndefined();
    expect(read({ code: 'taken-back' })).toBeUndefined();
  });

  it('has a code of this table, by its own name', () => {
    expect(read({ code: 'toString' })).toBeUndefined();
    expect(read({ code: 'never-heard-of' })).toBeUndefined();
  });
});
