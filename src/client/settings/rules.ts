/** How the questions of a server are answered without a person, and how long they wait for one. Decided here, carried out by the automatic responder. */
import { isObject, numberField, stringField } from '../../base/json.ts';
import { waitWords } from '../../base/format.ts';
import { ROOTS_METHOD, type Question } from '../../log/state/question.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export interface SavedAnswer {
  readonly name: string;
  readonly text: string;
  readonly model?: string;
}

export interface Rules {
  readonly elicitation: 'ask' | 'decline';
  /** `answer` sends the saved answer of that name. */
  readonly sampling: 'ask' | 'decline' | { readonly answer: string };
  /** How long a question waits for a person. */
  readonly waitMs: number;
  readonly answers: readonly SavedAnswer[];
}

const DEFAULT_WAIT_MS = 600_000;
const MIN_WAIT_MS = 1000;
/** A timer of a browser cannot be longer than 24 days. */
const MAX_WAIT_MS = 86_400_000;

export const DEFAULT_RULES: Rules = {
  elicitation: 'ask',
  sampling: 'ask',
  waitMs: DEFAULT_WAIT_MS,
  answers: [],
};

/** What the server is sent, and what the log says about it. */
export type Reply =
  | { readonly name: 'result'; readonly result: object; readonly reason: Reason }
  | { readonly name: 'error'; readonly message: string; readonly reason: Reason };

export type Decision =
  | { readonly name: 'reply'; readonly reply: Reply }
  /** Until this moment, then the question is given up. */
  | { readonly name: 'wait'; readonly until: number };

export function decideQuestion(
  question: Question,
  rules: Rules,
  now: number,
  roots: readonly object[] = [],
): Decision {
  if (question.method === ROOTS_METHOD) {
    return { name: 'reply', reply: { name: 'result', result: { roots }, reason: { code: 'roots' } } };
  }
  const byRule = replyByRule(question, rules);
  if (byRule) return { name: 'reply', reply: byRule };
  const until = question.askedAt + rules.waitMs;
  return now < until ? { name: 'wait', until } : { name: 'reply', reply: giveUp(question, rules.waitMs) };
}

function replyByRule({ method }: Question, { elicitation, sampling, answers }: Rules): Reply | undefined {
  if (method === 'elicitation/create') {
    if (elicitation === 'ask') return undefined;
    return { name: 'result', result: { action: 'decline' }, reason: { code: 'rule', how: 'declined' } };
  }
  if (sampling === 'ask') return undefined;
  if (sampling === 'decline') {
    return { name: 'error', message: 'Declined by the user.', reason: { code: 'rule', how: 'declined' } };
  }
  // A saved answer that was removed asks again.
  const saved = answers.find(({ name }) => name === sampling.answer);
  if (!saved) return undefined;
  return {
    name: 'result',
    result: samplingResult(saved),
    reason: { code: 'rule', how: 'answered', name: saved.name },
  };
}

function giveUp({ method }: Question, waitMs: number): Reply {
  return method === 'elicitation/create'
    ? {
        name: 'result',
        result: { action: 'cancel' },
        reason: { code: 'timed-out', how: 'elicitation', timeoutMs: waitMs },
      }
    : {
        name: 'error',
        message: `Not answered within ${waitWords(waitMs)}.`,
        reason: { code: 'timed-out', how: 'sampling', timeoutMs: waitMs },
      };
}

export function samplingResult({ text, model = 'person' }: Omit<SavedAnswer, 'name'>): object {
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' };
}

export function parseRules(value: unknown): Rules {
  if (!isObject(value)) return DEFAULT_RULES;
  const { elicitation, sampling, answers } = value;
  const answer = stringField(sampling, 'answer');
  const waitMs = numberField(value, 'waitMs') ?? DEFAULT_WAIT_MS;
  return {
    elicitation: elicitation === 'decline' ? 'decline' : 'ask',
    sampling: sampling === 'decline' ? 'decline' : answer === undefined ? 'ask' : { answer },
    waitMs: Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, waitMs)),
    answers: (Array.isArray(answers) ? answers : []).flatMap((one: unknown) => {
      const name = stringField(one, 'name');
      const text = stringField(one, 'text');
      const model = stringField(one, 'model');
      return name === undefined || text === undefined
        ? []
        : [{ name, text, ...(model !== undefined && { model }) }];
    }),
  };
}
