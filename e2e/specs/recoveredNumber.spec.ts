/** Five minutes with the log messages of server-everything after a reload: the recovered number stays what was missed. */
import type { Request } from '@playwright/test';
import { test } from './everything.ts';
import { expect } from './inspector.ts';

const STEP_MS = 5000;
const STEPS = 60;
const MISSED = 3;
/** A resumed standalone stream brings nothing for 15 s, and the page may have to resume it twice. */
const UNHEARD = 10;

test('what was missed is counted once, and live log messages of the next five minutes are not', async ({
  inspector,
  steppedEverything: server,
}) => {
  const { page } = inspector;
  // One in 5 s, at the server and in the page alike, as fast as both can.
  await page.clock.install();
  await inspector.open();
  const messages = () => inspector.entries('kind:received method:notifications/message "- SessionId"');
  const untilLogged = (count: number) =>
    expect.poll(async () => (await messages()).length, { intervals: [20] }).toBe(count);
  await inspector.connect(server.url);
  // It asks for the roots after the handshake, and logs them: on a stream that isn't open yet, nobody would hear it.
  await expect.poll(() => inspector.entries('kind:http stream:standalone status:200')).toHaveLength(1);
  server.step();
  await expect.poll(() => inspector.entries('kind:received "Roots updated"')).toHaveLength(1);
  await inspector.untilEnded(await inspector.call('toggle-simulated-logging'));
  await untilLogged(1);
  const id = await inspector.call('trigger-elicitation-request');
  const question = await inspector.untilAsked();
  server.step();
  await untilLogged(2);
  await inspector.stored();

  await page.goto('about:blank');
  for (let i = 0; i < MISSED; i += 1) server.step();
  await inspector.open();
  await untilLogged(2 + MISSED);
  const status = page.getByRole('status').first();
  await expect(status).toContainText(`Recovered ${MISSED} missed events.`);
  await inspector.answer(question, { action: 'decline' });

  const unanswered = new Set<Request>();
  page.on('request', (request) => unanswered.add(request));
  page.on('response', (response) => unanswered.delete(response.request()));
  page.on('requestfailed', (request) => unanswered.delete(request));
  const callExchanges = async () => (await inspector.entries(`kind:http stream:${id}`)).length;
  let exchanges: number | undefined;
  let expected: number | undefined;
  for (let i = 0; i < STEPS; i += 1) {
    server.step();
    await page.clock.runFor(STEP_MS);
    // The page's time must not outrun the wire, or a ping of the page is late and the session is resumed once more.
    await expect.poll(() => unanswered.size, { intervals: [5] }).toBe(0);
    if (expected !== undefined) continue;
    // This server sends nothing on a resumed standalone stream. The page opens it anew, and hears the rest.
    const [note] = await inspector.entries('kind:note deaf-stream');
    if (!note) continue;
    const opened = () => inspector.entries('kind:http stream:standalone status:200');
    await expect.poll(async () => (await opened()).some(({ seq }) => seq > note.seq)).toBe(true);
    await inspector.untilEnded(id);
    exchanges = await callExchanges();
    expected = (await messages()).length + STEPS - 1 - i;
  }
  await untilLogged(expected ?? 0);
  const call = await inspector.untilEnded(id);
  const logged = await messages();
  expect(logged.length).toBeGreaterThan(2 + MISSED + STEPS - UNHEARD);
  expect(await inspector.state()).toMatchObject({ name: 'connected', how: 'resumed', recovered: MISSED });
  await expect(status).toContainText(`Recovered ${MISSED} missed events.`);
  expect(logged.filter(({ replayed }) => replayed)).toHaveLength(MISSED);
  expect(new Set(logged.map(({ eventId }) => eventId)).size).toBe(logged.length);
  // The stream of the finished call is not asked for again, and nothing is credited to it.
  expect(await callExchanges()).toBe(exchanges);
  const { resultSeq = 0 } = call;
  expect(logged.filter(({ callId, seq }) => callId === id && seq > resultSeq)).toEqual([]);
  expect(call.replayed).toBe(0);
});
