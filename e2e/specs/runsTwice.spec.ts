/** A tool that runs twice because the browser has sent its POST again: the page notices, and claims it nowhere else. */
import { startFaultProxy } from '../../targets/faultProxy.ts';
import type { TargetOptions } from '../../targets/core/options.ts';
import { eventually } from '../../targets/testing/eventually.ts';
import { expect, test } from './inspector.ts';
import { showLog } from './timelinePage.ts';

const TICKS = 12;
const RAN_TWICE = 'This tool seems to have run twice or more.';

/** Keeps the head of the first tool call back, as servers and proxies do that buffer. */
function holdFirstCall(): Pick<TargetOptions, 'around'> {
  let isHeld = false;
  return {
    around: async (request, next) => {
      const body = request.method === 'POST' ? await request.clone().text() : '';
      const response = await next(request);
      if (isHeld || !body.includes('"tools/call"')) return response;
      isHeld = true;
      return new Promise<Response>(() => undefined);
    },
  };
}

for (const [profile, runs] of [
  ['runs-twice', 2],
  ['resumable', 1],
] as const) {
  test(`a POST that the browser repeats, on ${profile}: ${runs === 2 ? 'noticed' : 'the tool runs once, and nothing is claimed'}`, async ({
    inspector,
    target,
  }) => {
    const server = await target(profile, { overrides: holdFirstCall() });
    const proxy = await startFaultProxy(server.url);
    try {
      const { page } = inspector;
      await inspector.connect(`${proxy.origin}/mcp`);
      const id = await inspector.call('countdown', { ticks: TICKS, intervalMs: 80 });
      const sent = () => Object.values(server.stats().sessions[0]?.streams ?? {}).map((one) => one.sent);
      await eventually('the first run is ahead', () => sent().some((count) => count >= 6));
      proxy.cutAll();
      const call = await inspector.untilEnded(id);
      expect(call.name).toBe('settled');
      expect(server.stats().calls['countdown']).toBe(runs);
      const result = page.getByRole('region', { name: 'Result' });
      const told = await inspector.entries(`kind:call call:${id} ran-again`);
      if (runs === 1) {
        expect(call.runs).toBeUndefined();
        expect(told).toEqual([]);
        await expect(result).toContainText('done');
        await expect(result).not.toContainText('run twice');
        return;
      }
      expect(call.runs).toBe(2);
      expect(told).toMatchObject([{ change: { reason: 'progress-went-back', runs: 2 } }]);
      await expect(result).toContainText(RAN_TWICE);
      await expect(result).toContainText(/Progress went back from \d+ to 1\./);
      await showLog(page);
      await page.getByLabel('Filter entries').fill('lane:calls ran-again');
      await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(RAN_TWICE);
      await inspector.reload();
      expect((await inspector.callNamed(id)).runs).toBe(2);
      await expect(result).toContainText(RAN_TWICE);
    } finally {
      await proxy.close();
    }
  });
}
