import { describe, expect, it } from 'vitest';
import type { Task } from '../../log/protocol/task.ts';
import { endOfTask, pollDelayMs } from './taskPace.ts';

const task: Task = {
  taskId: 't',
  callId: 'c',
  generation: 'extension',
  status: 'working',
  ttlMs: 60_000,
  createdAt: 1000,
  startedAt: 1000,
  heardAt: 1000,
  answered: [],
};
const unknown = { kind: 'error', code: -32602, message: 'no such task' } as const;

describe('the pace of polling', () => {
  it('is never faster than the server suggests', () => {
    expect(pollDelayMs({ pollIntervalMs: 2500 })).toBe(2500);
  });

  it('is a second where the server suggests nothing, and bearable where it suggests nonsense', () => {
    expect(pollDelayMs({})).toBe(1000);
    expect(pollDelayMs({ pollIntervalMs: 0 })).toBe(100);
  });
});

describe('the end of a task', () => {
  it('is its expiry, when its time was over', () => {
    expect(endOfTask(task, unknown, 61_000)).toMatchObject({
      name: 'expired',
      reason: { code: 'task-expired', ttlMs: 60_000 },
    });
  });

  it('is a loss, when its time was not over, or not limited', () => {
    expect(endOfTask(task, unknown, 60_999)?.name).toBe('lost');
    expect(endOfTask({ ...task, ttlMs: null }, unknown, 1e12)?.name).toBe('lost');
  });

  it('is a loss, when the server speaks another revision now', () => {
    expect(endOfTask(task, { kind: 'other-generation' }, 0)?.name).toBe('lost');
  });

  it.each([
    { kind: 'no-answer' } as const,
    { kind: 'unreadable' } as const,
    { kind: 'error', code: -32603, message: '' } as const,
  ])('does not follow from %o: it is asked again', (failure) => {
    expect(endOfTask(task, failure, 0)).toBeUndefined();
  });
});
