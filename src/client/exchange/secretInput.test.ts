import { describe, expect, it } from 'vitest';
import type { Call } from '../../log/state/call.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import type { Question } from '../../log/state/question.ts';
import { Redactor } from '../../wire/redact.ts';
import { SecretInput } from './secretInput.ts';

const schema = { properties: { word: { format: 'password' } } };
const args = { user: 'ann', word: 'hunter-22' };
const shown = { user: 'ann', word: '‹redacted›' };
const requestedSchema = { properties: { code: { writeOnly: true } } };
const question: Question = {
  id: 'q',
  rpcId: 'q',
  server: 's',
  method: 'elicitation/create',
  params: { requestedSchema },
  callId: 'c',
  askedAt: 0,
  via: { kind: 'round', key: 'k' },
};
const callOf = (recorded: object): Call => ({
  id: 'c',
  server: 's',
  tool: 'login',
  args: recorded,
  name: 'open',
  startedAt: 0,
  timeoutMs: 1,
  repeatable: false,
  received: 0,
  replayed: 0,
  duplicates: 0,
});
const roundOf = (answer: object): Round => ({
  callId: 'c',
  number: 1,
  keys: ['k'],
  answers: { k: answer },
  isSent: false,
});

describe('what was typed into a secret field', () => {
  it('is recorded hidden, and is hidden where a server repeats it', () => {
    const redactor = new Redactor();
    const secrets = new SecretInput(redactor, () => schema);
    expect(secrets.begin('c', { tool: 'login', args })).toEqual(shown);
    expect(redactor.text('You typed hunter-22.')).toBe('You typed ‹redacted›.');
  });

  it('is sent again with its call, in the page that it was typed in', () => {
    const secrets = new SecretInput(new Redactor(), () => schema);
    secrets.begin('c', { tool: 'login', args });
    const answer = { action: 'accept', content: { code: '123' } };
    const kept = secrets.answer(question, answer);
    expect(kept).toEqual({ action: 'accept', content: { code: '‹redacted›' } });
    expect(secrets.again(callOf(shown), roundOf(kept))).toEqual({
      input: { tool: 'login', args },
      round: roundOf(answer),
    });
  });

  it('does not outlive the page: the call cannot be sent again without it', () => {
    const secrets = new SecretInput(new Redactor(), () => schema);
    expect(secrets.again(callOf(shown))).toBeUndefined();
    expect(secrets.again(callOf({}), roundOf({ content: { code: '‹redacted›' } }))).toBeUndefined();
    expect(secrets.again(callOf({ user: 'ann' }))).toMatchObject({ input: { args: { user: 'ann' } } });
  });

  it('is forgotten with its call', () => {
    const secrets = new SecretInput(new Redactor(), () => schema);
    secrets.begin('c', { tool: 'login', args });
    secrets.forget('c');
    expect(secrets.again(callOf(shown))).toBeUndefined();
  });
});
