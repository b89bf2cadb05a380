import { expect, test } from 'vitest';
import { parseHeaderLines } from './headerLines.ts';

test('reads one header from each line', () => {
  expect(parseHeaderLines('X-Team: blue\n\n  X-Url :  http://a:1/ \n')).toEqual({
    ok: true,
    value: { 'X-Team': 'blue', 'X-Url': 'http://a:1/' },
  });
});

test.each(['blue', ': blue', 'X Team: blue'])('says that “%s” is not a header', (line) => {
  expect(parseHeaderLines(line)).toEqual({
    ok: false,
    error: `“${line}” isn’t a valid header. Use Name: value`,
  });
});
