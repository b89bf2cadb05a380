import { describe, expect, it } from 'vitest';
import { figuresOf, NO_RECOVERY } from '../../log/state/recovery.ts';
import { recoveryRows } from './recoveryWords.ts';

describe('recoveryRows', () => {
  it('gives the median and the worst of what was measured, and says what was not', () => {
    const rows = recoveryRows(figuresOf({ ...NO_RECOVERY, resumes: 3, returnMs: { 80: 2, 1200: 1 } }));
    expect(rows).toContainEqual(['Sessions resumed', '3']);
    expect(rows).toContainEqual(['Time to reconnect', 'median 80 ms, worst 1.2 s']);
    expect(rows.at(-1)?.[1]).toBe('Not measured yet');
  });
});
