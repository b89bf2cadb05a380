import { describe, expect, it } from 'vitest';
import { metaTextOf, readMeta } from './callMeta.ts';

describe('the metadata of a call', () => {
  it('is left out while nothing is typed', () => {
    expect(readMeta('  ')).toEqual({ ok: true, value: {} });
    expect(metaTextOf(undefined)).toBe('');
  });

  it('is read as it was written', () => {
    const meta = { 'example.com/user': 'ada', deep: [1, { a: null }] };
    expect(readMeta(metaTextOf(meta))).toEqual({ ok: true, value: { meta } });
  });

  it.each(['{', '[]', '1', 'null', '"text"'])('must be an object: %s', (text) => {
    expect(readMeta(text)).toMatchObject({ ok: false });
  });
});
