import { describe, expect, it } from 'vitest';
import type { Task } from '../../log/protocol/task.ts';
import { keptWords, paceWords, taskStateWords } from './taskWords.ts';

const task: Task = {
  taskId: 't',
  callId: 'c',
  generation: 'extension',
  status: 'working',
  ttlMs: 300_000,
  createdAt: 0,
  startedAt: 0,
  heardAt: 1000,
  answered: [],
};

describe('a task in words', () => {
  it('says how long it is kept, and that it may be gone after that', () => {
    expect(keptWords(task, 60_000)).toBe('expires in 4 min');
    expect(keptWords(task, 312_000)).toBe('expired 12 s ago');
    expect(keptWords({ ...task, ttlMs: null }, 1e12)).toBe('no expiry');
  });

  it('says how often it is asked for, while it is', () => {
    expect(paceWords({ ...task, pollIntervalMs: 500 }, 3000)).toBe('polled every 500 ms, updated 2.0 s ago');
    expect(paceWords({ ...task, status: 'completed' }, 3000)).toBe('updated 2.0 s ago');
  });

  it('says when nothing more can be learned of it', () => {
    expect(taskStateWords(task)).toBe('working');
    expect(taskStateWords({ ...task, ended: { code: 'task-expired', how: 'task' } })).toBe('not available');
  });
});
