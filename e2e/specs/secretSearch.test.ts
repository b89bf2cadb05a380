import { describe, expect, it } from 'vitest';
import { ENCODINGS, missedCanaries, searchSecrets } from './secretSearch.ts';

/** Its base64 has a "+", which base64url writes differently. */
const SECRET = 'se+cr/et"&<ä~~ÿ42';

describe('the search for secrets', () => {
  it('knows at least eight encodings, and no two are the same', () => {
    const forms = Object.values(ENCODINGS).map((encode) => encode(SECRET));
    expect(new Set(forms).size).toBe(forms.length);
    expect(forms.length).toBeGreaterThanOrEqual(8);
  });

  it.each(Object.entries(ENCODINGS))('finds a secret that is %s, also in upper case', (encoding, encode) => {
    const text = `before ${encode(SECRET)} after`;
    const found = { secret: 'key', encoding, place: 'log' };
    expect(searchSecrets({ key: SECRET }, { log: text })).toContainEqual(found);
    expect(searchSecrets({ key: SECRET }, { log: text.toUpperCase() })).toContainEqual(found);
    expect(searchSecrets({ key: SECRET }, { log: JSON.stringify(text) })).toContainEqual(found);
    expect(searchSecrets({ key: SECRET }, { log: encodeURIComponent(text) })).toContainEqual(found);
  });

  it('finds nothing where there is nothing, and names the place where there is', () => {
    expect(searchSecrets({ key: SECRET }, { log: 'se+cr/et', console: '' })).toEqual([]);
    expect(searchSecrets({ key: 'abcdefg' }, { log: 'abc', console: '- abcdefg -' })).toContainEqual({
      secret: 'key',
      encoding: 'plain',
      place: 'console',
    });
  });

  it('reports a canary that it misses', () => {
    expect(missedCanaries({ key: SECRET }, { log: 'some text' })).toEqual([]);
    const plain = ENCODINGS['plain'];
    if (!plain) throw new Error('There is no plain encoding.');
    // An encoding that gives something else each time can't be found again.
    let n = 0;
    const odd = ENCODINGS as Record<string, (secret: string) => string>;
    odd['plain'] = (secret) => `${(n += 1)}${secret}`;
    const missed = missedCanaries({ key: 'abcdefg' }, { log: '' });
    odd['plain'] = plain;
    expect(missed).toEqual([{ secret: 'key', encoding: 'plain', place: 'log' }]);
  });
});
