import { describe, expect, it } from 'vitest';
import { Log } from '../../log/log.ts';
import { Questions } from './questions.ts';
import { Redactor } from '../../wire/redact.ts';
import { SecretInput } from '../exchange/secretInput.ts';

const ENDED = { code: 'session-ended', how: 'forgotten' } as const;

function setUp() {
  const log = new Log('s', { now: () => 0, after: () => () => undefined, random: () => 0 });
  const sent: unknown[] = [];
  let arrive: (error?: Error) => void = () => undefined;
  const connection = {
    answer: (_id: string | number, result: object) => {
      sent.push(result);
      return new Promise<void>((resolve, reject) => {
        arrive = (error) => (error ? reject(error) : resolve());
      });
    },
    decline: () => Promise.resolve(),
  };
  const questions = new Questions({
    log,
    secrets: new SecretInput(new Redactor(), () => undefined),
    link: { require: () => connection },
    tasks: { answer: () => Promise.resolve() },
    receiver: { keep: () => undefined },
    calls: { cancel: () => Promise.resolve() },
    flushed: () => Promise.resolve(),
  });
  const message = { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} };
  log.append({
    body: { kind: 'received', stream: 'standalone', method: message.method, raw: JSON.stringify(message) },
    message,
  });
  return { log, sent, questions, arrive: (error?: Error) => arrive(error) };
}

const ACCEPT = { action: 'accept' };

describe('one answer for one input request', () => {
  it('refuses a second one while the first is being sent, whoever gives it', async () => {
    const { questions, sent, arrive, log } = setUp();
    const first = questions.answer('7', ACCEPT);
    expect(questions.isSending('7')).toBe(true);
    await expect(questions.answer('7', { action: 'cancel' })).rejects.toThrow('already being sent');
    const question = log.state.questions.get('7');
    if (!question) throw new Error('There is no question.');
    const byTimer = {
      name: 'result',
      result: { action: 'cancel' },
      reason: { code: 'timed-out', how: 'elicitation', timeoutMs: 1 },
    } as const;
    await expect(questions.replyByItself(question, byTimer)).rejects.toThrow('already being sent');
    arrive();
    await first;
    expect(sent).toEqual([ACCEPT]);
    await expect(questions.answer('7', ACCEPT)).rejects.toThrow('No open request');
  });

  it('can be given again when it could not be sent', async () => {
    const { questions, sent, arrive } = setUp();
    const first = questions.answer('7', ACCEPT);
    arrive(new Error('Failed to fetch'));
    await expect(first).rejects.toThrow('Failed to fetch');
    const second = questions.answer('7', ACCEPT);
    arrive();
    await second;
    expect(sent).toEqual([ACCEPT, ACCEPT]);
  });
});

describe('an answer to an input request that is gone', () => {
  const gone: readonly [string, (setup: ReturnType<typeof setUp>) => void][] = [
    [
      'the server took back',
      ({ log }) => {
        const message = {
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 7 },
        };
        const { method } = message;
        log.append({
          body: { kind: 'received', stream: 'standalone', method, raw: JSON.stringify(message) },
          message,
        });
      },
    ],
    ['ended with its session', ({ questions }) => questions.expireAll(ENDED)],
    [
      'another tab has answered',
      ({ log }) => {
        const change = { name: 'answered' } as const;
        log.adopt([{ seq: log.state.nextSeq, at: 0, load: 1, kind: 'question', requestId: '7', change }]);
      },
    ],
  ];

  it.each(gone)('is not sent, and changes nothing, where it %s', async (_how, goes) => {
    const setup = setUp();
    goes(setup);
    const { questions, sent, log } = setup;
    const { nextSeq } = log.state;
    await expect(questions.answer('7', ACCEPT)).rejects.toThrow('No open request');
    await expect(questions.decline('7')).rejects.toThrow('No open request');
    expect(sent).toEqual([]);
    expect(log.state.nextSeq).toBe(nextSeq);
  });

  it('is not sent twice where it goes while the first answer is on its way', async () => {
    const { questions, sent, arrive, log } = setUp();
    const first = questions.answer('7', ACCEPT);
    questions.expireAll(ENDED);
    arrive(new Error('Session not found'));
    await expect(first).rejects.toThrow('Session not found');
    await expect(questions.answer('7', ACCEPT)).rejects.toThrow('No open request');
    expect(sent).toHaveLength(1);
    expect(log.state.questions.closed).toMatchObject([{ reason: ENDED }]);
  });
});
