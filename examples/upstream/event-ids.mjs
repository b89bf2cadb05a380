// The example event store can't resume the standalone stream: its name, `_GET_stream`, contains the separator.
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import { read, report, startServer } from './server.mjs';

const { server, send } = await startServer({ eventStore: new InMemoryEventStore() });
const log = (/** @type {string} */ data) => server.server.sendLoggingMessage({ level: 'info', data });

const stream = await send('GET');
await log('first');
const before = await read(stream, { until: 'first' });
const lastEventId = /^id: (\S+)$/m.exec(before)?.[1];

await log('missed');
const resumed = await send('GET', { lastEventId });
await log('live');
const after = await read(resumed, { until: 'live' });

// The server can still send: a GET without an event ID gets what comes next.
const plain = await send('GET');
await log('next');
const next = await read(plain, { until: 'next' });

report(resumed.status === 200 && !after.includes('missed') && !after.includes('live'), {
  lastEventId,
  status: resumed.status,
  'has the missed message': after.includes('missed'),
  'has the live message': after.includes('live'),
  'a plain GET has the next message': next.includes('next'),
});
