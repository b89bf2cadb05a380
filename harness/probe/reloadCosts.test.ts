import { expect, it } from 'vitest';
import { startTarget } from '../../targets/startTarget.ts';
import type { Tool } from '../contract.ts';
import { measureReloadCosts } from './reloadCosts.ts';
import { RawStateless } from './rawStateless.ts';

async function costsOf(profile: string, names: readonly string[], annotations?: Tool['annotations']) {
  const target = await startTarget(profile);
  try {
    const raw = await RawStateless.open(target.url, {});
    const tools = ((await raw?.tools()) ?? [])
      .filter(({ name }) => names.includes(name))
      .map((tool) => (annotations ? { ...tool, annotations } : tool));
    await raw?.close();
    const costs = await measureReloadCosts(target.url, {}, tools, []);
    return Object.fromEntries(
      costs.map(({ tool, cost, advice }) => [tool, advice ? `${cost}, advice` : cost]),
    );
  } finally {
    await target.close();
  }
}

it('tells from one call of each tool what a reload would cost', async () => {
  expect(await costsOf('modern', ['countdown', 'ask', 'big', 'fail'])).toEqual({
    // Ten ticks of half a second: it is not waited for, and its stream is closed.
    countdown: 'cancelled, advice',
    ask: 'kept-as-question',
    big: 'cancelled',
    fail: 'not-tested',
  });
});

it('knows a task by the response', async () => {
  expect(await costsOf('modern-tasks', ['countdown', 'big'])).toMatchObject({ countdown: 'kept-as-task' });
});

it('calls no tool that may change something', async () => {
  expect(await costsOf('modern', ['big'], { destructiveHint: true })).toEqual({ big: 'not-tested' });
});
