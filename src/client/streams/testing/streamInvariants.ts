/** What must be true of two streams, a page and its disk, whatever has happened. */
import type { StreamModel } from './streamModel.ts';
import type { Scenario, World } from './streamWorld.ts';

/** Where a call may end without its response, if the server keeps its session and its events. */
const HONEST = new Set(['page-closed', 'no-event-id', 'no-answer']);

export function streamsHold(
  model: StreamModel,
  { roles, keeps, places, faults: granted }: Scenario,
  { page, disk, faults }: World,
  /**
   * `mayLose`: something else than the server has ended the session. `isUnderWay`: calls were given up, and their streams
   * are let go next.
   */
  { mayLose = false, isUnderWay = false } = {},
): void {
  if (page)
    expectThat(
      sum(page.held.map(({ connections }) => connections)) <= places,
      'more connections than places',
    );
  page?.held.forEach(({ stream, connections, asked, timer }, i) => {
    const how = page.log[i]?.ends.at(-1)?.how;
    const isRunning = stream.name !== 'ended' && stream.role === 'call';
    expectThat(!isRunning || how !== 'answered', 'a call runs after its result');
    expectThat(!isRunning || how !== 'lost' || isUnderWay, 'a call is lost and runs');
    expectThat(
      connections > 0 === (stream.name === 'opening' || stream.name === 'open'),
      'a connection without an owner',
    );
    expectThat(asked === (stream.name === 'queued'), 'a place without a stream that waits for it');
    expectThat(stream.name !== 'waiting' || timer, 'waits forever');
    expectThat(
      stream.name !== 'open' || stream.via !== 'resume' || timer,
      'a resumed stream without a timer',
    );
    expectThat(stream.name !== 'ended' || !timer, 'a timer of an ended stream');
  });
  for (const log of page ? [page.log, disk] : [disk]) {
    log.forEach(({ received, cursor, ends }, i) => {
      expectThat(cursor === undefined || received.includes(cursor), 'the cursor is ahead of the entries');
      expectThat(new Set(received).size === received.length, 'an event was delivered twice');
      if (roles[i] !== 'call') return;
      if (keeps)
        expectThat(
          received.every((event, n) => event === n),
          'an event is missing, or out of order',
        );
      const names = ends.map(({ how }) => how);
      expectThat(names.filter((how) => how === 'answered').length <= 1, 'settled twice');
      expectThat(names.length <= 2 && (names.length < 2 || names[1] === 'answered'), 'two ends');
      expectThat(
        names.length < 2 || names[0] === 'lost' || names[0] === 'unknown',
        'an end that was no guess was changed',
      );
      const wasCancelled = names[0] === 'cancelled';
      const hasResponse = log.some(
        (one, j) =>
          one.received.some((event) => model.isResponse(j, event)) && (roles[j] !== 'call' || j === i),
      );
      const isOwn = roles.includes('standalone') || received.some((event) => model.isResponse(i, event));
      if (hasResponse && isOwn)
        expectThat(wasCancelled || names.at(-1) === 'answered', 'has its result, and is not settled');
      for (const end of ends) {
        if (!('reason' in end)) continue;
        const { code } = end.reason;
        if (code === 'no-event-id' || code === 'page-closed')
          expectThat(cursor === undefined, 'it had an event ID');
        const isHonest = HONEST.has(code) || (code === 'no-replay' && !keeps);
        const isExplained =
          faults.forget < granted.forget ||
          mayLose ||
          isHonest ||
          code === 'resume-blocked' ||
          code === 'resume-refused';
        expectThat(isExplained, `ended for no reason: ${code}`);
      }
    });
  }
}

export function expectThat(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
