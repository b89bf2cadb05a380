/** `mcp-reprise/playwright`, used as people use it on their own servers. */
import { expect, test as base } from '../harness/playwright/index.ts';
import { startTarget } from '../targets/startTarget.ts';
import { closedAfter } from './closedAfter.ts';

const test = base.extend<{ target: typeof startTarget }>({ target: closedAfter(startTarget) });

const ARGS = { ticks: 12, intervalMs: 150 };

test('a reload loses nothing, compared with a call that was left alone', async ({ inspector, target }) => {
  await inspector.connect((await target('resumable')).url);
  const control = await inspector.control('countdown', ARGS);
  const call = await inspector.call('countdown', ARGS);
  await inspector.reloadAfter(6);
  await expect(call).toBeSettled();
  await expect(call).toHaveReplayed();
  await expect(call).toHaveLostNothing({ comparedWith: control });
});

test('a crash and a network that goes away lose nothing either', async ({ inspector, target }) => {
  await inspector.connect((await target('resumable')).url);
  const call = await inspector.call('countdown', { ticks: 30, intervalMs: 150 });
  await call.received(4);
  await inspector.crash();
  await call.received(16);
  const goOnline = await inspector.goOffline();
  await inspector.page.waitForFunction(() => window.reprise.state().name === 'reconnecting');
  await goOnline();
  await expect(call).toHaveLostNothing();
  await expect(call).toHaveReplayed(2);
});

test('a question is answered after a reload', async ({ inspector, target }) => {
  await inspector.connect((await target('resumable')).url);
  const call = await inspector.call('ask', { question: 'Shall we?' });
  await inspector.question();
  await inspector.reload();
  const { id } = await inspector.question();
  await inspector.answer(id, { action: 'accept', content: { answer: 'yes' } });
  await expect(call).toBeSettled();
  expect((await inspector.awaitActivity({ since: '{}', timeoutMs: 100 })).pendingServer).toEqual([]);
});

test('the matchers fail, in words, where a server loses the call', async ({ inspector, target }) => {
  await inspector.connect((await target('no-replay')).url);
  const call = await inspector.call('countdown', ARGS);
  await inspector.reloadAfter(4);
  await expect(call).not.toBeSettled();
  const failure = (work: Promise<void>) =>
    work.then(
      () => '',
      (error: unknown) => String(error),
    );
  expect(await failure(expect(call).toBeSettled())).toContain(
    'The call is lost: This server doesn’t send event IDs',
  );
  expect(await failure(expect(call).toHaveLostNothing())).toContain('the call is lost');
  expect(await failure(expect(call).toHaveReplayed())).toContain('0 messages of the call came by a resume');
});

test('an address where nobody answers is an error that says so', async ({ inspector }) => {
  await expect(inspector.connect('http://127.0.0.1:9/mcp')).rejects.toThrow(
    /could not connect .* Start the server/,
  );
});
