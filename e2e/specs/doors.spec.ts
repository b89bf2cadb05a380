// `window.reprise`: what a script can ask a page, and wait for.
import { expect, test } from './inspector.ts';
import { openSection } from './sections.ts';

test('a script reads servers, questions, tasks, lists and log messages, also after a reload', async ({
  inspector,
  target,
}) => {
  const { url } = await target('resumable');
  await inspector.connect(`${url}?api_key=hidden`, { name: 'doors' });
  const counted = await inspector.call('countdown', { ticks: 3, intervalMs: 1 });
  await inspector.untilEnded(counted);
  await inspector.call('ask', { question: 'Shall we?' });
  await inspector.untilAsked();
  const read = () =>
    inspector.page.evaluate(async () => ({
      servers: window.reprise.servers(),
      questions: window.reprise.questions(),
      tasks: window.reprise.tasks(),
      resources: await window.reprise.resources(),
      templates: await window.reprise.resourceTemplates(),
      prompts: await window.reprise.prompts(),
      logs: await window.reprise.logs({ limit: 2 }),
    }));
  const before = await read();
  expect(before).toMatchObject({
    servers: [{ server: 'doors', isSelected: true, state: { name: 'connected', how: 'fresh' } }],
    questions: [{ server: 'doors', method: 'elicitation/create' }],
    tasks: [],
    logs: [{ callId: counted }, { callId: counted }],
  });
  expect(JSON.stringify(before)).not.toContain('api_key=hidden');
  await inspector.reload();
  expect(await read()).toMatchObject({
    ...before,
    servers: [{ server: 'doors', state: { name: 'connected', how: 'resumed' } }],
  });
});

const COST = { callsLost: 1, questionsExpired: 0 };

test('a script that waits hears that the server was restarted, and that it was removed', async ({
  inspector,
  target,
}) => {
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'doors' });
  const { page } = inspector;
  /** The types of all triggers up to this one. */
  const heard = page.evaluate(async () => {
    const types: string[] = [];
    for (let since: string | undefined; !types.includes('server_removed');) {
      const activity = await window.reprise.awaitActivity({
        timeoutMs: 5000,
        ...(since !== undefined && { since }),
      });
      since = activity.lastEventId;
      const states = activity.events.flatMap(({ events }) =>
        events.map((event) => (event.kind === 'state' ? event.state.name : event.kind)),
      );
      types.push(...activity.triggers.map(({ type }) => type), ...states);
    }
    return types;
  });
  const call = await inspector.call('countdown', { ticks: 50, intervalMs: 100 });
  await inspector.untilReceived(call, 1);
  await server.control('restart');
  await page.waitForFunction(() => {
    const state = window.reprise.state();
    return state.name === 'connected' && state.how === 'restarted';
  });
  const ended = await inspector.entries('reason:session-ended');
  expect(ended).toContainEqual(expect.objectContaining({ kind: 'call', callId: call }));
  expect(ended).toContainEqual(
    expect.objectContaining({ kind: 'state', state: expect.objectContaining({ cost: COST }) }),
  );
  const sentences = (await inspector.entries()).filter((entry) =>
    /"(why|text)":/.test(JSON.stringify(entry)),
  );
  const withoutCode = sentences.filter(
    (entry) => entry.message === undefined && !/"reason":/.test(JSON.stringify(entry)),
  );
  expect(withoutCode).toEqual([]);
  await page.evaluate(() => window.reprise.disconnect({ forget: true }));
  expect(await heard).toEqual(expect.arrayContaining(['reconnecting', 'server_removed']));
});

test('the figures of a reload in the middle of a call, in the page and for a script', async ({
  inspector,
  target,
}) => {
  const { url } = await target('resumable');
  await inspector.connect(url);
  const call = await inspector.call('countdown', { ticks: 20, intervalMs: 100 });
  await inspector.untilReceived(call, 4);
  await inspector.reload();
  const { replayed } = await inspector.expectWhole(call, 20);
  const metrics = await inspector.page.evaluate(() => window.reprise.metrics());
  expect(metrics).toMatchObject({
    resumes: 1,
    restarts: 0,
    eventsRecovered: replayed,
    callsLost: 0,
    callsUnknown: 0,
    blindWindows: { count: 1 },
    timeToReturn: { count: 1, worstMs: metrics.timeToReturn.medianMs },
  });
  await openSection(inspector.page, 'Info');
  const rows = inspector.page.getByRole('region', { name: /^Recovery/ }).getByRole('row');
  await expect(rows.filter({ hasText: 'Sessions resumed' })).toContainText('1');
  await expect(rows.filter({ hasText: 'Missed events recovered' })).toContainText(String(replayed));
});
