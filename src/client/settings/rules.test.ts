import { describe, expect, it } from 'vitest';
import type { Question } from '../../log/state/question.ts';
import { waitWords } from '../../base/format.ts';
import { decideQuestion, DEFAULT_RULES, parseRules, type Rules } from './rules.ts';

const asked = (method: string): Question => ({
  id: '1',
  rpcId: 1,
  server: 's',
  method,
  params: {},
  askedAt: 1000,
});
const elicitation = asked('elicitation/create');
const sampling = asked('sampling/createMessage');
const rules = (changed: Partial<Rules>): Rules => ({ ...DEFAULT_RULES, ...changed });

describe('a question', () => {
  it('waits ten minutes for a person, counted from when it was asked', () => {
    expect(decideQuestion(elicitation, DEFAULT_RULES, 2000)).toEqual({ name: 'wait', until: 601_000 });
  });

  it('is cancelled or declined with a word when nobody answers', () => {
    expect(decideQuestion(elicitation, DEFAULT_RULES, 601_000)).toEqual({
      name: 'reply',
      reply: {
        name: 'result',
        result: { action: 'cancel' },
        reason: { code: 'timed-out', how: 'elicitation', timeoutMs: 600_000 },
      },
    });
    expect(decideQuestion(sampling, rules({ waitMs: 5000 }), 6000)).toMatchObject({
      reply: { name: 'error', message: 'Not answered within 5 seconds.' },
    });
  });

  it('is declined by a rule, each kind in its own way', () => {
    expect(decideQuestion(elicitation, rules({ elicitation: 'decline' }), 1000)).toMatchObject({
      reply: { name: 'result', result: { action: 'decline' } },
    });
    expect(decideQuestion(sampling, rules({ sampling: 'decline' }), 1000)).toMatchObject({
      reply: { name: 'error' },
    });
    expect(decideQuestion(sampling, rules({ elicitation: 'decline' }), 1000)).toMatchObject({ name: 'wait' });
  });

  it('is answered with a saved answer, and asked again when that was removed', () => {
    const saved = { name: 'short', text: 'Yes.', model: 'm' };
    expect(
      decideQuestion(sampling, rules({ sampling: { answer: 'short' }, answers: [saved] }), 1000),
    ).toMatchObject({
      reply: { result: { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'm' } },
    });
    expect(decideQuestion(sampling, rules({ sampling: { answer: 'short' } }), 1000)).toMatchObject({
      name: 'wait',
    });
  });
});

it('answers a request for roots by itself, whatever the rules are', () => {
  const roots = [{ uri: 'file:///here' }];
  expect(decideQuestion(asked('roots/list'), DEFAULT_RULES, 2000, roots)).toMatchObject({
    reply: { name: 'result', result: { roots } },
  });
});

describe('stored rules', () => {
  it('come back as they were', () => {
    const stored = rules({ sampling: { answer: 'a' }, waitMs: 5000, answers: [{ name: 'a', text: 'b' }] });
    expect(parseRules(structuredClone(stored))).toEqual(stored);
  });

  it.each([undefined, 'x', [], { waitMs: 'soon', answers: [{ name: 1 }], sampling: 7, elicitation: {} }])(
    'ask where they cannot be read: %j',
    (stored) => {
      expect(parseRules(stored)).toEqual(DEFAULT_RULES);
    },
  );

  it('keep the time within what a browser can wait', () => {
    expect(parseRules({ waitMs: -5 }).waitMs).toBe(1000);
    expect(parseRules({ waitMs: 1e12 }).waitMs).toBe(86_400_000);
  });
});

it('says times as people do', () => {
  expect([60_000, 600_000, 90_000, 3000].map(waitWords)).toEqual([
    '1 minute',
    '10 minutes',
    '90 seconds',
    '3 seconds',
  ]);
});
