import { expect, test } from 'vitest';
import { checkLimited, whyUnchecked } from './checkLimited.ts';
import { JOBS, type JobReport, type JobRequest } from './jobs.ts';
import { LimitedWorker, type WorkerLike } from './limitedWorker.ts';

/** Time that passes when the test says so. */
class Timers {
  #waiting: { at: number; fn: () => void }[] = [];
  #now = 0;

  after(delayMs: number, fn: () => void): () => void {
    const timer = { at: this.#now + delayMs, fn };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== timer);
    };
  }

  pass(ms: number): void {
    for (const end = this.#now + ms; ;) {
      const next = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) return void (this.#now = end);
      this.#now = next.at;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      next.fn();
    }
  }
}

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  readonly asked: JobRequest[] = [];
  isEnded = false;

  postMessage(request: JobRequest): void {
    this.asked.push(structuredClone(request));
  }

  terminate(): void {
    this.isEnded = true;
  }

  report(data: JobReport): void {
    this.onmessage?.({ data } as MessageEvent<JobReport>);
  }

  break(message: string): void {
    this.onerror?.({ message } as ErrorEvent);
  }
}

function setUp() {
  const clock = new Timers();
  const workers: FakeWorker[] = [];
  const start = () => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const { run } = new LimitedWorker({ start, clock });
  const match = (text: string) => run('matchTexts', { patterns: [], texts: [text] });
  return { clock, workers, run, match };
}

test('a job that ends in time gives its output, and the worker is kept for the next', async () => {
  const { workers, match, clock } = setUp();
  const first = match('a');
  workers[0]?.report({ name: 'began' });
  clock.pass(900);
  workers[0]?.report({ name: 'done', output: [true] });
  expect(await first).toEqual({ name: 'done', value: [true] });
  const second = match('b');
  workers[0]?.report({ name: 'began' });
  workers[0]?.report({ name: 'done', output: [false] });
  expect(await second).toEqual({ name: 'done', value: [false] });
  expect(workers).toHaveLength(1);
});

test('a job that takes longer than a second ends its worker, and the next job gets a new one', async () => {
  const { workers, match, clock } = setUp();
  const slow = match('slow');
  const next = match('next');
  workers[0]?.report({ name: 'began' });
  clock.pass(1000);
  expect(await slow).toEqual({ name: 'too-slow' });
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  workers[0]?.report({ name: 'done', output: 'late' });
  workers[1]?.report({ name: 'began' });
  workers[1]?.report({ name: 'done', output: [true] });
  expect(await next).toEqual({ name: 'done', value: [true] });
});

test('the time begins with the work, not with the start of the worker', async () => {
  const { workers, match, clock } = setUp();
  const job = match('a');
  clock.pass(9000);
  workers[0]?.report({ name: 'began' });
  clock.pass(900);
  workers[0]?.report({ name: 'done', output: [true] });
  expect(await job).toMatchObject({ name: 'done' });
});

test('one job at a time', () => {
  const { workers, match } = setUp();
  void match('a');
  void match('b');
  expect(workers[0]?.asked).toHaveLength(1);
});

test('a worker that does not load, or does not start, fails its job and not the next', async () => {
  const { workers, match, clock } = setUp();
  const jobs = [match('a'), match('b'), match('c')];
  workers[0]?.break('404');
  clock.pass(10_000);
  workers[2]?.report({ name: 'began' });
  workers[2]?.report({ name: 'done', output: [true] });
  expect(await Promise.all(jobs)).toEqual([
    { name: 'failed', why: '404' },
    { name: 'failed', why: 'The worker didn’t start.' },
    { name: 'done', value: [true] },
  ]);
});

test('without workers a job fails in words, and so does one that cannot be copied', async () => {
  const start = () => {
    throw new Error('Worker is not defined');
  };
  const { run } = new LimitedWorker({ start, clock: new Timers() });
  const check = await checkLimited(run, {}, 1);
  expect(check).toEqual({ name: 'unchecked', why: 'It can’t be checked here: Worker is not defined' });
  expect(whyUnchecked(check)).toBe('Not checked. It can’t be checked here: Worker is not defined.');
  expect(whyUnchecked({ name: 'fits' })).toBeUndefined();
  const uncopied = await setUp().run('checkValue', { schema: {}, value: () => 1 });
  expect(uncopied).toMatchObject({ name: 'failed', why: expect.stringContaining('could not be cloned') });
});

test.each([
  [{ pattern: '^(a+)+$' }, 'Not checked: its pattern takes too long.'],
  [{ $ref: '#' }, 'Not checked: its schema takes too long.'],
])('says what took too long: %o', async (schema, why) => {
  const run = () => Promise.resolve({ name: 'too-slow' } as const);
  expect(await checkLimited(run, schema, 'a')).toEqual({ name: 'too-slow', why });
});

test('texts match where every pattern holds', () => {
  const patterns = [
    { source: '^a', flags: 'gi', not: false },
    { source: 'z$', flags: '', not: true },
  ];
  const texts = ['abc', 'Abc', 'abz', 'bbc'];
  expect(JOBS.matchTexts({ patterns, texts })).toEqual([true, true, false, false]);
});

test('a complaint about a pattern names the pattern', () => {
  const schema = {
    properties: { a: { $ref: '#/$defs/x' }, 'b/c': { pattern: '^q' } },
    $defs: { x: { pattern: '^z$' } },
  };
  expect(JOBS.checkValue({ schema, value: { a: 'b', 'b/c': '1' } })).toEqual({
    name: 'complains',
    complaints: [
      { pointer: '/a', message: 'Must match ^z$' },
      { pointer: '/b~1c', message: 'Must match ^q' },
    ],
  });
});
