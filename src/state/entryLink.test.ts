import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEntryLink, printEntryLink } from './entryLink.ts';
import { readLink } from './linkRequest.ts';

test('a link leads to the entry that it was made for', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 1, max: 2 ** 31 }),
      (server, name, seq) => {
        const link = printEntryLink('https://host.example/some/folder/?x=1#old', { server, name, seq });
        expect(new URL(link).search).toBe('?x=1');
        expect(parseEntryLink(link)).toEqual({ server, name, seq });
        expect(readLink(new URL(link))).toBeUndefined();
      },
    ),
  );
});

test.each(['https://a.example/', 'https://a.example/#entry=3', 'https://a.example/#server=x&entry=0.5'])(
  '%s leads nowhere',
  (page) => {
    expect(parseEntryLink(page)).toBeUndefined();
  },
);
