import { describe, expect, it } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { Redactor } from '../wire/redact.ts';
import { openLocalLog } from './localLog.ts';
import { MovableLog } from './movableLog.ts';

const clock: Clock = { now: () => 0, after: () => () => undefined, random: () => 0 };
const OF = { stream: 's', callId: undefined, replaying: false, hasEventIds: true };

function open(): { log: MovableLog; busy: MovableLog[] } {
  const busy: MovableLog[] = [];
  const here = openLocalLog({ server: 's', clock, redactor: new Redactor() });
  return { log: new MovableLog(here, (log) => busy.push(log)), busy };
}

const event = (sizeBytes: number): Uint8Array =>
  new TextEncoder().encode(`data: {"jsonrpc":"2.0","method":"${'x'.repeat(sizeBytes)}"}\n\n`);

describe('a log that can move', () => {
  it('is busy with the first call, and says so once', () => {
    const { log, busy } = open();
    log.beginLoad('opened');
    log.append({ body: { kind: 'state', state: { name: 'connected', how: 'fresh' } } });
    expect(busy).toEqual([]);
    const change = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;
    log.append({ body: { kind: 'call', callId: 'a', change } });
    log.append({ body: { kind: 'call', callId: 'b', change } });
    expect(busy).toEqual([log]);
  });

  it('is busy with streams that bring much', async () => {
    const { log, busy } = open();
    const exchange = log.openExchange(true);
    await exchange.events(event(40_000), OF);
    expect(busy).toEqual([]);
    await log.openExchange(true).events(event(40_000), OF);
    await exchange.events(event(40_000), OF);
    expect(busy).toEqual([log]);
  });
});
