// A request ID that was already used in a session runs the tool again, with the same body and with another one.
import { read, report, startServer } from './server.mjs';

let runs = 0;
const { send } = await startServer({
  addTools: (server) => {
    server.registerTool('pay', { description: 'Pays once' }, () => {
      runs += 1;
      return { content: [{ type: 'text', text: `run ${runs}` }] };
    });
  },
});

const body = { id: 1, method: 'tools/call', params: { name: 'pay', arguments: {} } };
const first = await read(await send('POST', { body }), { until: '"result"' });
// What Chromium and Firefox do when a reused connection is closed before the head of the response: they send the POST again.
const second = await read(await send('POST', { body }), { until: '"result"' });

report(runs === 2, { runs, first, second });
