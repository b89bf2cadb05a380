import { expect, test } from 'vitest';
import { checkFormats } from './formats.ts';

const schema = {
  properties: {
    email: { type: 'string', format: 'email' },
    uri: { type: 'string', format: 'uri' },
    date: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'date-time' },
    other: { type: 'string', format: 'hostname' },
  },
};

test('texts of a format are let through, and what is not set is no matter', () => {
  const right = {
    email: 'a@b',
    uri: 'urn:x',
    date: '2026-02-28',
    time: '2026-02-28T10:00:00+01:00',
    other: '?',
  };
  expect(checkFormats(schema, right)).toEqual({});
  expect(checkFormats(schema, {})).toEqual({});
});

test('others are told what is wanted', () => {
  const wrong = { email: 'a b', uri: 'nothing', date: '2026-13-01', time: '2026-02-28' };
  expect(Object.keys(checkFormats(schema, wrong))).toEqual(['email', 'uri', 'date', 'time']);
});
