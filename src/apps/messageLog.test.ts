import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { MessageLog, type AppRecord } from './messageLog.ts';

function openLog() {
  const records: AppRecord[] = [];
  let due: (() => void) | undefined;
  const clock: Clock = {
    now: () => 0,
    random: () => 0,
    after: (_ms, fn) => {
      due = fn;
      return () => (due = undefined);
    },
  };
  const log = new MessageLog((some) => records.push(...some), clock);
  return { log, records, tick: () => due?.() };
}
const sized = (height: number): AppRecord => ({
  step: 'received',
  method: 'ui/notifications/size-changed',
  appText: `{"height":${height}}`,
});

test('single messages are recorded as they are', () => {
  const { log, records, tick } = openLog();
  log.add(sized(1));
  tick();
  log.add(sized(2));
  tick();
  expect(records).toEqual([sized(1), sized(2)]);
});

test('a loop of size changes is recorded ten times a second, then counted', () => {
  const { log, records, tick } = openLog();
  for (let i = 1; i <= 5000; i += 1) log.add(sized(i));
  tick();
  expect(records).toHaveLength(11);
  expect(records.at(-1)).toEqual({ ...sized(5000), more: 4989 });
});

test('another message is recorded beside a flood', () => {
  const { log, records } = openLog();
  for (let i = 1; i <= 5000; i += 1) log.add(sized(i));
  log.add({ step: 'received', method: 'tools/call' });
  expect(records.at(-1)).toEqual({ step: 'received', method: 'tools/call' });
});

test('many kinds of messages are no way around the limit', () => {
  const { log, records } = openLog();
  for (let i = 1; i <= 5000; i += 1) log.add({ step: 'received', method: `made-up-${i}` });
  expect(records).toHaveLength(60);
});

test('a long message is cut', () => {
  const { log, records } = openLog();
  log.add({ step: 'received', method: 'ui/message', appText: 'x'.repeat(1_000_000) });
  expect(records[0]?.appText).toHaveLength(16_000 + '… (1000000 characters)'.length);
});
