import { expect, test } from 'vitest';
import type { Entry, EntryBody } from '../log/entry/entry.ts';
import { findLastAnswer } from './lastAnswer.ts';

const entries = (...bodies: EntryBody[]): readonly Entry[] =>
  bodies.map((body, i) => ({ seq: i + 1, at: i + 1, load: 1, ...body }));

const sent = (id: string, uri: string): EntryBody => ({
  kind: 'sent',
  stream: id,
  method: 'resources/read',
  raw: JSON.stringify({ id, method: 'resources/read', params: { uri } }),
});

const received = (id: string, answer: object): EntryBody => ({
  kind: 'received',
  stream: id,
  raw: JSON.stringify({ id, ...answer }),
});

const ofA = (params: object) => 'uri' in params && params.uri === 'a';

test('the newest answer to the same request is found', () => {
  const log = entries(
    sent('1', 'a'),
    received('1', { result: { n: 1 } }),
    sent('2', 'b'),
    sent('3', 'a'),
    received('2', { result: { n: 2 } }),
    received('3', { result: { n: 3 } }),
  );
  expect(findLastAnswer(log, 'resources/read', ofA)).toEqual({ askedSeq: 4, at: 6, result: { n: 3 } });
});

test('an answer that asks is none, and the one of the next round counts', () => {
  const asking = entries(sent('1', 'a'), received('1', { result: { resultType: 'input_required' } }));
  expect(findLastAnswer(asking, 'resources/read', ofA)).toBeUndefined();
  const answered = entries(...asking, sent('1.round.1', 'a'), received('1.round.1', { result: { n: 2 } }));
  expect(findLastAnswer(answered, 'resources/read', ofA)).toMatchObject({ askedSeq: 3, result: { n: 2 } });
});

test('an error, or a request without an answer, is none', () => {
  const log = entries(
    sent('1', 'a'),
    received('1', { result: { n: 1 } }),
    sent('2', 'a'),
    received('2', { error: { code: 1, message: 'no' } }),
    sent('3', 'a'),
  );
  expect(findLastAnswer(log, 'resources/read', ofA)).toEqual({ askedSeq: 1, at: 2, result: { n: 1 } });
  expect(findLastAnswer(log, 'prompts/get', () => true)).toBeUndefined();
});
