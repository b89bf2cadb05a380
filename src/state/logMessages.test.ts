import { describe, expect, it } from 'vitest';
import type { Entry } from '../log/entry/entry.ts';
import { addToRing, isShown, readLogMessage, RING_SIZE, type LogMessage } from './logMessages.ts';

const entry = (params: object, method = 'notifications/message'): Entry => ({
  seq: 1,
  at: 2,
  load: 1,
  kind: 'received',
  stream: 's',
  method,
  raw: JSON.stringify({ jsonrpc: '2.0', method, params }),
});

const message = (seq: number, more: Partial<LogMessage> = {}): LogMessage => ({
  seq,
  at: 0,
  level: 'info',
  logger: 'a',
  text: 'Hello',
  isReplayed: false,
  ...more,
});

describe('a log message', () => {
  it('is text, whatever the server puts into it', () => {
    expect(readLogMessage(entry({ level: 'error', logger: 'db', data: { code: 7 } }))).toMatchObject({
      level: 'error',
      logger: 'db',
      text: '{"code":7}',
    });
    expect(readLogMessage(entry({ data: 'plain' }))).toMatchObject({
      level: 'info',
      logger: '',
      text: 'plain',
    });
    expect(readLogMessage(entry({}))).toMatchObject({ text: '' });
    expect(readLogMessage(entry({}, 'notifications/progress'))).toBeUndefined();
  });

  it('is shown when it is loud enough, of the right logger, and has the words', () => {
    expect(isShown(message(1), {})).toBe(true);
    expect(isShown(message(1), { level: 'warning' })).toBe(false);
    expect(isShown(message(1, { level: 'alert' }), { level: 'warning' })).toBe(true);
    expect(isShown(message(1, { level: 'loud' }), { level: 'warning' })).toBe(true);
    expect(isShown(message(1), { logger: 'b' })).toBe(false);
    expect(isShown(message(1), { logger: 'a', words: 'HELL' })).toBe(true);
    expect(isShown(message(1), { words: 'bye' })).toBe(false);
  });

  it('falls out of the ring when there are too many newer ones', () => {
    const many = Array.from({ length: RING_SIZE + 3 }, (_, i) => message(i));
    expect(addToRing([message(-1)], many).map(({ seq }) => seq)).toEqual(many.slice(3).map(({ seq }) => seq));
    const ring = [message(1)];
    expect(addToRing(ring, [])).toBe(ring);
  });
});
