import { describe, expect, it } from 'vitest';
import { hideSecretFields, isSecretField, secretTexts } from './secretFields.ts';

const schema = {
  properties: {
    user: { type: 'string' },
    pin: { type: 'integer', format: 'password' },
    answer: { type: 'string', writeOnly: true },
    login: { $ref: '#/$defs/login' },
    accounts: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/login' }, { type: 'string' }] } },
  },
  $defs: { login: { properties: { word: { format: 'password' }, inner: { $ref: '#/$defs/login' } } } },
};

describe('a secret field', () => {
  it.each(['password', 'db_password', 'apiKey', 'API-KEY', 'access_token', 'clientSecret', 'Authorization'])(
    'is known by the name %s',
    (name) => {
      expect(isSecretField(name, {})).toBe(true);
      expect(hideSecretFields({ [name]: 'x1', a: { [name]: 'x2' } })).toEqual({
        [name]: '‹redacted›',
        a: { [name]: '‹redacted›' },
      });
    },
  );

  it.each(['maxTokens', 'max_tokens', 'pageToken', 'nextPageToken', 'token_count', 'progressToken', 'path'])(
    'is not seen in %s',
    (name) => {
      expect(isSecretField(name, {})).toBe(false);
    },
  );

  it('is known by its schema, through references, lists and alternatives', () => {
    const args = {
      user: 'ann',
      pin: 1234,
      answer: 'blue',
      login: { word: 'w1', inner: { word: 'w2', note: 'x' } },
      accounts: ['plain', { word: 'w3' }],
    };
    expect(hideSecretFields(args, schema)).toEqual({
      user: 'ann',
      pin: '‹redacted›',
      answer: '‹redacted›',
      login: { word: '‹redacted›', inner: { word: '‹redacted›', note: 'x' } },
      accounts: ['plain', { word: '‹redacted›' }],
    });
    expect(secretTexts(args, schema)).toEqual(['1234', 'blue', 'w1', 'w2', 'w3']);
  });

  it('holds a text, unless its schema says more: a switch is no secret', () => {
    const args = { useToken: true, tokenTtl: 60, token: '', secret: null };
    expect(hideSecretFields(args)).toBe(args);
  });

  it('is found in a schema that refers to itself without an end', () => {
    const endless = { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }], properties: {} } } };
    expect(hideSecretFields({ password: 'x', a: 1 }, endless)).toEqual({ password: '‹redacted›', a: 1 });
  });
});
