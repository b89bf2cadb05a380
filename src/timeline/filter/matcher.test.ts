import { describe, expect, test } from 'vitest';
import type { Entry } from '../../log/entry/entry.ts';
import { LogIndex } from '../logIndex.ts';
import { CALL, reloadedCall } from '../testing/logOf.ts';
import { completeQuery } from './complete.ts';
import { JOBS } from '../../limited/jobs.ts';
import { Matcher, searchedText } from './matcher.ts';
import { parseQuery } from './query.ts';

const index = new LogIndex();
index.add(reloadedCall);

function found(text: string): readonly number[] {
  const query = parseQuery(text);
  if (!query.ok) throw new Error(query.error.message);
  const matcher = new Matcher(query.value, index);
  return reloadedCall
    .filter((entry, i) => matcher.mayMatch(i) && (!matcher.readsText || matchesText(matcher, entry)))
    .map(({ seq }) => seq);
}

function matchesText(matcher: Matcher, entry: Entry): boolean {
  const text = searchedText(entry);
  const [matches] = JOBS.matchTexts({ patterns: matcher.patterns, texts: [text] });
  return matcher.matchesWords(text) && matches === true;
}

describe('finds', () => {
  test.each<[string, readonly number[]]>([
    ['kind:load', [1, 12]],
    ['kind:load,note', [1, 12, 25]],
    ['method:progress', [11, 16, 22]],
    ['method:progress load:2', [16, 22]],
    ['load:<2 method:progress', [11]],
    ['replayed:true', [16]],
    ['replayed:false method:progress', [11, 22]],
    ['status:409', [14]],
    ['status:4xx', [14]],
    ['status:>=200 method:get', [14, 15]],
    [`call:${CALL.toLowerCase()} kind:received`, [11, 16, 19, 22, 23]],
    ['call:0aaa kind:duplicate', [17]],
    ['tool:countdown kind:http', [10, 14, 15]],
    ['stream:outgoing', [21]],
    ['lane:questions', [19, 20]],
    ['lane:errors', [14, 25]],
    ['lane:connection -connected', [2, 13]],
    ['reason:page-loaded', [13]],
    ['reason:log-full,page-loaded', [13, 25]],
    ['kind:load,note -reason:log-full', [1, 12]],
    ['dur:>2s', [8, 23]],
    ['dur:40', [3, 5, 6]],
    ['size:>100 kind:sent', [9]],
    ['size:0 kind:load', [1, 12]],
    ['zürich', [23]],
    ['"is done"', [23]],
    ['/"progress":[23]/', [16, 22]],
    ['method:progress -/"progress":[23]/', [11]],
    ['e4', [22]],
    ['"80%"', [25]],
    ['kind:call countdown', [8]],
    ['kind:sent -method:tools/list,tools/call', [21]],
  ])('%s', (text, seqs) => {
    expect(found(text)).toEqual(seqs);
  });

  test('letters that are written as escapes', () => {
    const [last] = reloadedCall.slice(-3);
    if (last?.kind !== 'received') throw new Error('The result is the third from the end.');
    const query = parseQuery('zürich');
    if (!query.ok) throw new Error(query.error.message);
    const escaped = { ...last, raw: last.raw.replace('ü', '\\u00fc') };
    expect(matchesText(new Matcher(query.value, index), escaped)).toBe(true);
  });
});

describe('completes', () => {
  const texts = (text: string, caret = text.length) =>
    completeQuery(text, caret, index).map((one) => text.slice(0, one.from) + one.text + text.slice(one.to));

  test.each<[string, readonly string[]]>([
    ['s', ['stream:', 'status:', 'size:']],
    ['kind:load -me', ['kind:load -method:']],
    ['tool:', ['tool:countdown ']],
    ['status:4', ['status:409 ']],
    ['kind:load,no', ['kind:load,note ']],
    ['replayed:t', ['replayed:true ']],
    ['method:prog', ['method:notifications/progress ']],
    ['lane:questi', ['lane:questions ']],
    ['"kin', []],
    ['nothing:x', []],
  ])('%s', (text, wanted) => {
    expect(texts(text)).toEqual(wanted);
  });

  test('in the middle of the text, over the rest of the word', () => {
    expect(texts('ki:x word', 2)).toEqual(['kind: word']);
  });
});
