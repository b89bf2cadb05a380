import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { Log } from '../log/log.ts';
import { Calls } from './calls.ts';
import type { Connection } from './connection.ts';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

describe('a call', () => {
  it('is stored before it is sent', async () => {
    const order: string[] = [];
    const log = new Log('s', clock);
    const calls = new Calls({
      log,
      clock,
      flushed: async () => {
        order.push(`storing ${[...log.head.calls.values()][0]?.name ?? 'nothing'}`);
        await Promise.resolve();
        order.push('stored');
      },
      connection: () => undefined,
      isRepeatable: () => false,
    });
    const connection: Pick<Connection, 'callTool'> = {
      callTool: () => {
        order.push('sent');
        return Promise.resolve();
      },
    };
    await calls.begin(connection, 'tool', {}, {});
    expect(order).toEqual(['storing sending', 'stored', 'sent']);
  });
});
