/** The fix of a problem as code, for the SDKs that most servers are written with. A line that begins with + or - changes. */
import type { Cause } from '../judge/causes.ts';

export type Sdk = 'TypeScript SDK v1' | 'TypeScript SDK v2' | 'Python SDK';

export interface Snippet {
  readonly sdk: Sdk;
  readonly code: string;
}

type Codes = Readonly<Partial<Record<Sdk, string>>>;

const EVENT_STORE: Codes = {
  'TypeScript SDK v1': `  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
+   eventStore: new InMemoryEventStore(), // @modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js, for a start
  });`,
  'TypeScript SDK v2': `  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
+   eventStore: myEventStore, // an EventStore: storeEvent, replayEventsAfter, getStreamIdForEventId
  });`,
  'Python SDK': `  session_manager = StreamableHTTPSessionManager(
      app=server,
+     event_store=my_event_store,  # an EventStore: store_event, replay_events_after
  )`,
};

const STREAM: Codes = {
  'TypeScript SDK v1': `  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
-   enableJsonResponse: true,
+   eventStore: new InMemoryEventStore(), // @modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js, for a start
  });`,
  'TypeScript SDK v2': `  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
-   enableJsonResponse: true,
+   eventStore: myEventStore, // an EventStore: storeEvent, replayEventsAfter, getStreamIdForEventId
  });`,
  'Python SDK': `  session_manager = StreamableHTTPSessionManager(
      app=server,
-     json_response=True,
+     event_store=my_event_store,  # an EventStore: store_event, replay_events_after
  )`,
};

/** With an event store, all three send the priming event themselves to clients of 2025-11-25. */
const PRIMING: Codes = {
  'TypeScript SDK v1': `+ npm install @modelcontextprotocol/sdk@latest  # sends the priming event if the transport has an eventStore`,
  'TypeScript SDK v2': `+ npm install @modelcontextprotocol/server@latest  # sends the priming event if the transport has an eventStore`,
  'Python SDK': `+ pip install --upgrade mcp  # sends the priming event if the session manager has an event_store`,
};

const FLUSH: Codes = {
  'TypeScript SDK v1': `- app.use(compression());
+ app.use(compression({ filter: (_req, res) => !String(res.getHeader('content-type')).includes('event-stream') }));
+ app.use('/mcp', (_req, res, next) => { res.setHeader('X-Accel-Buffering', 'no'); next(); }); // for nginx`,
  'Python SDK': `- app.add_middleware(GZipMiddleware)  # gathers a stream; leave it out for the MCP endpoint`,
};

const CORS: Codes = {
  'TypeScript SDK v1': `  import cors from 'cors';
+ app.use(cors({ origin: 'https://your-page.example', exposedHeaders: ['Mcp-Session-Id'] }));
  app.post('/mcp', handler);`,
  'TypeScript SDK v2': `  import { cors } from 'hono/cors';
+ app.use('/mcp', cors({ origin: 'https://your-page.example', exposeHeaders: ['Mcp-Session-Id'] }));`,
  'Python SDK': `  app = CORSMiddleware(
      app,
+     allow_origins=["https://your-page.example"],
+     allow_methods=["GET", "POST", "DELETE"],
+     allow_headers=["*"],
+     expose_headers=["Mcp-Session-Id"],
  )`,
};

const KEEP_SESSION: Codes = {
  'TypeScript SDK v1': `  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void transports.set(id, transport),
+   onsessionclosed: (id) => void transports.delete(id), // after DELETE
  });
- res.on('close', () => transport.close());`,
  'TypeScript SDK v2': `  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id) => void transports.set(id, transport),
+   onsessionclosed: (id) => void transports.delete(id), // after DELETE
  });`,
};

const NOT_FOUND: Codes = {
  'TypeScript SDK v1': `  const transport = transports.get(req.headers['mcp-session-id']);
  if (!transport) {
-   return res.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request' }, id: null });
+   return res.status(404).json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });
  }`,
  'TypeScript SDK v2': `  const transport = transports.get(request.headers.get('mcp-session-id') ?? '');
+ if (!transport) return new Response('Session not found', { status: 404 });`,
  'Python SDK': `+ pip install --upgrade mcp  # its session manager responds with 404 to a session that it doesn't know`,
};

const FIND_STREAM: Codes = Object.fromEntries(
  (['TypeScript SDK v1', 'TypeScript SDK v2'] as const).map((sdk) => [
    sdk,
    `  class MyEventStore implements EventStore {
+   async getStreamIdForEventId(eventId: string) {
+     return this.streamOf.get(eventId); // undefined: the transport responds with 400
+   }
  }`,
  ]),
);

const OWN_STREAM: Codes = {
  ...Object.fromEntries(
    (['TypeScript SDK v1', 'TypeScript SDK v2'] as const).map((sdk) => [
      sdk,
      `  async replayEventsAfter(lastEventId, { send }) {
    const last = this.events.get(lastEventId);
    for (const event of this.events.values()) {
+     if (event.streamId !== last.streamId || event.number <= last.number) continue;
      await send(event.id, event.message);
    }
    return last.streamId;
  }`,
    ]),
  ),
  'Python SDK': `  async def replay_events_after(self, last_event_id, send_callback):
      last = self.events[last_event_id]
      for event in self.events.values():
+         if event.stream_id != last.stream_id or event.number <= last.number:
+             continue
          await send_callback(EventMessage(event.message, event.id))
      return last.stream_id`,
};

const IN_ORDER: Codes = {
  ...Object.fromEntries(
    (['TypeScript SDK v1', 'TypeScript SDK v2'] as const).map((sdk) => [
      sdk,
      `  async storeEvent(streamId, message) {
-   const id = \`\${streamId}_\${Date.now()}_\${Math.random()}\`;
+   const id = \`\${streamId}_\${++this.count}\`; // replay by this number, not sorted by text
    this.events.set(id, { id, streamId, message, number: this.count });
    return id;
  }`,
    ]),
  ),
  'Python SDK': `  async def store_event(self, stream_id, message):
-     event_id = str(uuid4())
+     self.count += 1
+     event_id = f"{stream_id}_{self.count}"  # replay by this number
      self.events[event_id] = Event(event_id, stream_id, message, self.count)
      return event_id`,
};

const SNIPPETS: Readonly<Partial<Record<Cause, Codes>>> = {
  cors: CORS,
  'no-event-ids': EVENT_STORE,
  'json-response': STREAM,
  'no-priming': PRIMING,
  'late-event-id': FLUSH,
  'session-dropped': KEEP_SESSION,
  'ended-session-status': NOT_FOUND,
  'ended-session-new-id': NOT_FOUND,
  'unknown-event-id': FIND_STREAM,
  'standalone-not-resumed': FIND_STREAM,
  'events-of-other-streams': OWN_STREAM,
  'events-repeated': OWN_STREAM,
  'events-lost': OWN_STREAM,
  'out-of-order': IN_ORDER,
};

export function snippetsFor(cause: Cause | undefined): readonly Snippet[] {
  const codes = (cause === undefined ? undefined : SNIPPETS[cause]) ?? {};
  return (Object.entries(codes) as [Sdk, string][]).map(([sdk, code]) => ({ sdk, code }));
}
