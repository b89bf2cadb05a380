/** The browser sends a POST again whose connection ends before the head of the response, and tells nobody. */
import { expect, test, type Page } from '@playwright/test';
import type { TargetOptions } from '../../targets/core/options.ts';
import { startFaultProxy } from '../../targets/faultProxy.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { eventually } from '../../targets/testing/eventually.ts';

const CALL_MS = 1500;

/** A call over a connection that was used before, and is reset while the call runs and no head has come. */
async function callOverResetConnection(page: Page, profile: string, overrides: Partial<TargetOptions>) {
  const target = await startTarget(profile, { overrides });
  const proxy = await startFaultProxy(target.url, { holdsHeads: true });
  try {
    // Same origin, so that no preflight stands in between.
    await page.goto(proxy.origin);
    const answer = page.evaluate(async (afterMs) => {
      const version = '2025-11-25';
      const headers = {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': version,
      };
      const post = (message: object, more = {}) =>
        fetch('/mcp', {
          method: 'POST',
          headers: { ...headers, ...more },
          body: JSON.stringify({ jsonrpc: '2.0', ...message }),
        });
      const clientInfo = { name: 'page', version: '1' };
      const params = { protocolVersion: version, capabilities: {}, clientInfo };
      const begun = await post({ id: 1, method: 'initialize', params });
      await begun.text();
      const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
      const call = { name: 'fail', arguments: { afterMs } };
      return (await post({ id: 2, method: 'tools/call', params: call }, session)).text();
    }, CALL_MS);
    await eventually('the tool runs', () => target.stats().calls['fail'] === 1);
    proxy.cutAll();
    const text = await answer;
    return { text, calls: target.stats().calls, session: target.stats().sessions[0] };
  } finally {
    await proxy.close();
    await target.close();
  }
}

const RESULT = `Failed on purpose after ${CALL_MS} ms`;

for (const [what, profile, overrides] of [
  ['JSON responses', 'resumable', { jsonResponses: true }],
  ['a stream whose head was held back', 'no-priming', {}],
] as const) {
  test(`a POST that the browser repeats runs once: ${what}`, async ({ page }) => {
    const { text, calls, session } = await callOverResetConnection(page, profile, overrides);
    expect(text).toContain(RESULT);
    expect(calls).toEqual({ fail: 1 });
    expect(session).toMatchObject({ posts: 3, repeats: 1 });
  });
}

test('a POST that the browser repeats runs twice on a server that does what the SDK does', async ({
  page,
}) => {
  const { text, calls } = await callOverResetConnection(page, 'runs-twice', { jsonResponses: true });
  expect(text).toContain(RESULT);
  expect(calls).toEqual({ fail: 2 });
});
