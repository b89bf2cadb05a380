/** A burst of notifications, and servers that no page can use. */
import { startTarget } from '../../../targets/startTarget.ts';
import { diagnoseBlockedHeaders } from './blockedHeaders.ts';
import { seconds, whole, type Story } from './story.ts';

const BURST = 20_000;

export const burst: Story = {
  name: 'burst',
  row: `${BURST.toLocaleString('en')} notifications in one call: time, longest stall of the page`,
  isLong: true,
  async tell({ connected }) {
    const page = await connected();
    const { tookMs, stallMs, received } = await page.run<Record<'tookMs' | 'stallMs' | 'received', number>>(
      'take the burst',
      `let last = performance.now(), stallMs = 0;
       const timer = setInterval(() => {
         stallMs = Math.max(stallMs, performance.now() - last);
         last = performance.now();
       }, 5);
       const from = performance.now();
       const id = await reprise.call('burst', { count: ${BURST} });
       await until(() => callOf(id).settledAt !== undefined);
       const tookMs = performance.now() - from;
       clearInterval(timer);
       return { tookMs, stallMs, received: callOf(id).received };`,
    );
    const problems = received > BURST ? [] : [`${received} messages received`];
    return whole(problems, `${seconds(tookMs)}, ${Math.round(stallMs)} ms`);
  },
};

/** What the page says of servers that it can't use. */
export const doctor: Story = {
  name: 'doctor',
  row: 'cause of a failed connection: no CORS, no server, headers not allowed',
  async tell({ open, site }) {
    const page = await open();
    const closed = await startTarget('no-cors');
    const blocked = await page.askToConnect(closed.url);
    await closed.close();
    const nobody = await page.askToConnect(closed.url);
    const problem = await diagnoseBlockedHeaders(page, site);
    return whole(
      [
        ...(/CORS/.test(blocked) ? [] : [`no CORS: ${blocked}`]),
        ...(/[Nn]o (server|response)|isn.t running/.test(nobody) ? [] : [`no server: ${nobody}`]),
        ...(problem === undefined ? [] : [problem]),
      ],
      'all three found',
    );
  },
};
