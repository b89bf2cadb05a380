import { expect, test } from 'vitest';
import { requiredAddresses } from './requiredAddresses.ts';

const OWNER = { callId: 'c', server: 's', at: 1 };
const LOGIN = { mode: 'url', elicitationId: 'a', url: 'https://login.example/', message: 'Log in.' };

test('each address becomes a question of its own', () => {
  const error = { code: -32042, message: 'Log in.', data: { elicitations: [LOGIN, { url: 'http://x/' }] } };
  expect(requiredAddresses(error, OWNER)).toMatchObject([
    { id: 'c/url/0', callId: 'c', method: 'elicitation/create', params: LOGIN, via: { kind: 'required' } },
    { id: 'c/url/1', params: { mode: 'url', url: 'http://x/' } },
  ]);
});

test.each<[string, { code: number; data?: unknown } | undefined]>([
  ['another code', { code: -32000, data: { elicitations: [LOGIN] } }],
  ['no data', { code: -32042 }],
  ['no list', { code: -32042, data: { elicitations: LOGIN } }],
  ['forms, and what has no address', { code: -32042, data: { elicitations: [{ mode: 'form' }, 7, null] } }],
  ['no error', undefined],
])('%s asks for nothing', (_what, error) => {
  expect(requiredAddresses(error, OWNER)).toEqual([]);
});
