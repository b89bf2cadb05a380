import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readArgsFile } from './readArgsFile.ts';
import { suggest } from './suggest.ts';
import { endedLine, isColored, paint, startedLine } from './terminal.ts';

describe('terminal', () => {
  it('has colors on a terminal, and never else', () => {
    expect(isColored({ isTty: true, env: {} })).toBe(true);
    expect(isColored({ isTty: false, env: {} })).toBe(false);
    expect(isColored({ isTty: true, env: { NO_COLOR: '1' } })).toBe(false);
    expect(isColored({ isTty: true, env: { TERM: 'dumb' } })).toBe(false);
  });

  it('shows which scenario runs, and how it ended', () => {
    expect(startedLine(['reload-twice'], 7, 22)).toBe('  7/22 reload-twice …');
    expect(startedLine(['reload-twice', 'tab-crash'], 8, 22)).toBe('  8/22 reload-twice, tab-crash …');
    const result = { name: 'cors', verdict: 'fail', why: 'No.', durationMs: 1240 } as const;
    expect(endedLine(result)).toBe('  ✗ cors                         1.2 s   No.');
    const counted = { ...result, name: 'reload-mid-call', received: 14, control: 25, lost: 11 };
    expect(endedLine(counted)).toBe('  ✗ reload-mid-call              1.2 s   14/25   11 lost');
    expect(endedLine({ name: 'cors', verdict: 'pass', why: 'Fine.' })).toBe('  ✓ cors');
    const hidden = { name: 'tab-crash', verdict: 'unsupported', why: 'No.', cause: 'no-event-ids' } as const;
    expect(endedLine(hidden)).toMatch(/^ {2}– tab-crash +needs event IDs$/);
    expect(paint(endedLine(result), 'fail')).toContain('\u001b[31m✗\u001b[39m ');
  });
});

describe('suggest', () => {
  const known = ['--scenario', '--header', '--tool'];
  it.each([
    ['--scenarois', ' Did you mean --scenario?'],
    ['--headers', ' Did you mean --header?'],
    ['--something', ''],
  ])('%s:%s', (word, words) => {
    expect(suggest(word, known)).toBe(words);
  });
});

describe('readArgsFile', () => {
  const read = (...argv: string[]) => readArgsFile(argv, Readable.from(['{"a":1}']));

  it('reads arguments from standard input, and leaves others alone', async () => {
    expect(await read('u', '--args', '-', '--headed')).toEqual(['u', '--args', '{"a":1}', '--headed']);
    expect(await read('u', '--args', '{}')).toEqual(['u', '--args', '{}']);
    expect(await read('u')).toEqual(['u']);
  });

  it('says which file cannot be read', async () => {
    await expect(read('u', '--args', '@/no/such.json')).rejects.toThrow(
      "Can't read --args from /no/such.json",
    );
  });
});
