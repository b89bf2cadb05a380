import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bareReason } from '../../timeline/share/bareReason.ts';
import { reason as reasonType } from '../../timeline/share/reasonType.ts';
import { hideInTexts } from '../../wire/hideInTexts.ts';
import type { EntryBody } from '../entry/entry.ts';
import type { Reason } from './reason.ts';
import { reasonText } from './reasonText.ts';
import { fixText } from './stateText.ts';
import { CODES, samplesOf } from './testing/sampleReasons.ts';

const SAID = 'so the server says';
const SECRET = 'token-42-secret';

/** These modules name every code, whether it is used or not. */
const TABLES = /reasonFacts\.ts$|reasonText\.ts$|stateText\.ts$|\.test\.ts$|\/testing\//;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !TABLES.test(path))
  .map((path) => readFileSync(`src/${path}`, 'utf8'));

function expectSentence(text: string): void {
  expect(text).toMatch(/^\S.*[^\s]$/s);
  expect(text).not.toMatch(/undefined|\[object|NaN|\bnull\b|\(\)/);
}

describe('every code', () => {
  test.each(CODES)('%s has a sentence, with and without its facts', (code) => {
    for (const reason of samplesOf(code, SAID)) {
      if (code === 'recorded' && !('text' in reason)) continue;
      expectSentence(reasonText(reason));
      expectSentence(reasonText({ ...reason, so: 'not-run' }));
      expectSentence(
        fixText({ reason: code === 'recorded' ? ({ ...reason, fix: SAID } as Reason) : reason }),
      );
    }
  });

  test.each(CODES)('%s is used', (code) => {
    expect(sources.some((source) => source.includes(`'${code}'`))).toBe(true);
  });

  test.each(CODES)(
    '%s keeps no text of others where content is left out, and still has a sentence',
    (code) => {
      for (const reason of samplesOf(code, SAID)) {
        const bare = bareReason(reason);
        expect(JSON.stringify(bare)).not.toContain(SAID);
        expect(bare.code).toBe(code);
        if (code !== 'recorded') expectSentence(reasonText(bare));
        expect(reasonType.read(JSON.parse(JSON.stringify(bare)))).toEqual(bare);
      }
    },
  );

  test.each(CODES)('%s is imported as it was exported', (code) => {
    for (const reason of samplesOf(code, SAID)) {
      expect(reasonType.read(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
    }
  });

  test.each(CODES)('%s is recorded without the secrets in its facts', (code) => {
    for (const reason of samplesOf(code, `Your token ${SECRET} is bad.`)) {
      const body: EntryBody = { kind: 'note', level: 'info', reason };
      const safe = hideInTexts(body, (text) => text.replaceAll(SECRET, '‹redacted›'));
      expect(JSON.stringify(safe)).not.toContain(SECRET);
      expect(safe).toMatchObject({ reason: { code } });
    }
  });
});

test('a secret that is a word of this page does not change what a reason means', () => {
  const reason: Reason = { code: 'session-ended', how: 'forgotten', status: 404, so: 'not-run' };
  const body: EntryBody = { kind: 'note', level: 'info', reason };
  expect(hideInTexts(body, (text) => text.replace(/session-ended|forgotten|not-run/, 'x'))).toEqual(body);
});

test('what follows from a reason is a second sentence', () => {
  expect(reasonText({ code: 'session-ended', how: 'forgotten', status: 404, so: 'result-unreachable' })).toBe(
    'Session not found (HTTP 404). The result can’t be retrieved.',
  );
});

test('a code that a newer build has stored is shown as it is', () => {
  expect(reasonText(JSON.parse('{"code":"from-the-future"}') as Reason)).toBe('from-the-future');
});
