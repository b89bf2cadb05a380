/** Reloads, early and late, one and many. */
import { median } from '../../bench/bench.ts';
import { pause, seconds, whole, type Story } from './story.ts';

const COUNTDOWN = { ticks: 24, intervalMs: 100 };
const RELOADS = 20;
const LATEST_MS = 1400;
const CALLS = 8;

export const demo: Story = {
  name: 'demo',
  row: 'demo: a call over two reloads',
  isLong: true,
  async tell({ open }) {
    const page = await open();
    await page.openDemo();
    const id = await page.call('countdown', COUNTDOWN);
    await page.untilReceived(id, 4);
    await page.reload();
    await page.untilReceived(id, 20);
    await page.reload();
    const problems = await page.problemsOf(id, COUNTDOWN.ticks);
    return whole(problems, `whole, back in ${page.backMs.map(seconds).join(' and ')}`);
  },
};

export const reloads: Story = {
  name: 'reloads',
  row: `${RELOADS} reloads, 0 to ${LATEST_MS / 1000} s after the start of a call of 1.2 s`,
  isLong: true,
  async tell({ connected }) {
    const page = await connected();
    const problems: string[] = [];
    let blind = 0;
    for (let at = 0; at < RELOADS; at += 1) {
      const id = await page.call('countdown', { ticks: 12, intervalMs: 100 });
      await pause((LATEST_MS * at) / (RELOADS - 1));
      await page.reload();
      // Before the first event ID, nothing can be resumed, and the page says so.
      const { name } = await page.untilEnded(id);
      if (name === 'unknown') blind += 1;
      else problems.push(...(await page.problemsOf(id, 12)));
    }
    const broken = await page.brokenStreams();
    if (broken > 0) problems.push(`${broken} broken streams stored`);
    const back = `back in ${seconds(median(page.backMs))} (median), ${seconds(Math.max(...page.backMs))} (longest)`;
    const unknown = blind === 0 ? '' : `, ${blind} before the first event ID (unknown)`;
    return whole(problems, `${RELOADS - blind} whole${unknown}; ${back}`);
  },
};

export const endsWhileAway: Story = {
  name: 'ends-while-away',
  row: 'the tool ends while no page is open',
  async tell({ connected, site, target }) {
    const page = await connected();
    const id = await page.call('countdown', { ticks: 6, intervalMs: 150 });
    await page.untilReceived(id, 2);
    await page.tab.goto('about:blank');
    const sent = () => target.stats().sessions.some(({ streams }) => streams[id]?.sent === 13);
    while (!sent()) await pause(20);
    await page.tab.goto(site);
    await page.untilConnected();
    const problems = await page.problemsOf(id, 6);
    const { replayed } = await page.untilEnded(id);
    return whole(problems, `whole, ${replayed} replayed`);
  },
};

export const doubleReload: Story = {
  name: 'double-reload',
  row: 'second reload 60 ms after the first',
  // WebKitGTK sometimes keeps a stream of the page in between open, and the server rejects the next one until it ends.
  isLong: true,
  async tell({ connected }) {
    const page = await connected();
    const id = await page.call('countdown', COUNTDOWN);
    await page.untilReceived(id, 4);
    await page.tab.reloadAtOnce();
    await pause(60);
    await page.reload();
    return whole(
      await page.problemsOf(id, COUNTDOWN.ticks),
      `whole, back in ${page.backMs.map(seconds).join()}`,
    );
  },
};

export const manyCalls: Story = {
  name: 'many-calls',
  row: `${CALLS} calls at once and a reload`,
  async tell({ connected }) {
    const page = await connected();
    const ids: string[] = [];
    for (let call = 0; call < CALLS; call += 1) ids.push(await page.call('countdown', COUNTDOWN));
    for (const id of ids) await page.untilReceived(id, 4);
    await page.reload();
    const problems: string[] = [];
    for (const id of ids) problems.push(...(await page.problemsOf(id, COUNTDOWN.ticks)));
    return whole(problems, `${CALLS} whole, back in ${page.backMs.map(seconds).join()}`);
  },
};

export const question: Story = {
  name: 'question',
  row: 'an elicitation that is answered after a reload',
  async tell({ connected }) {
    const page = await connected();
    const id = await page.call('ask', { question: 'Still there?' });
    await page.run('be asked', `await until(() => reprise.questions().length > 0); await reprise.stored();`);
    await page.reload();
    const answer = JSON.stringify({ action: 'accept', content: { answer: 'yes, still' } });
    await page.run('answer', `await reprise.answer(reprise.questions()[0].id, ${answer})`);
    const call = await page.untilEnded(id);
    const isAnswered = JSON.stringify(call.result ?? '').includes('yes, still');
    return whole(
      isAnswered ? [] : [`the call is ${call.name}`],
      `answered, back in ${page.backMs.map(seconds).join()}`,
    );
  },
};
