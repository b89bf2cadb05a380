/** A good message of each kind that a server can send, with every field that the standard has for it. */

/** Stands for the ID of the request that a message belongs to. */
export const REQUEST_ID = '‹request ID›';
/** Stands for the origin of the server. */
export const ORIGIN = '‹origin›';

const icons = [
  { src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['48x48'], theme: 'light' },
];
const annotations = { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
const described = { title: 'A title', description: 'What it is for.', icons, _meta: { 'a.example/b': [1] } };

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  title: 'Arguments',
  required: ['text', 'nested'],
  properties: {
    text: { type: 'string', title: 'Text', minLength: 1, maxLength: 9, pattern: '^a', default: 'abc' },
    secret: { type: 'string', format: 'password' },
    count: { type: 'integer', minimum: 0, maximum: 10, default: 3 },
    choice: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'a' },
    named: {
      oneOf: [
        { const: 1, title: 'One' },
        { const: 2, title: 'Two' },
      ],
    },
    either: { anyOf: [{ type: 'string', title: 'As text' }, { type: 'number' }, { type: 'null' }] },
    several: { type: ['string', 'integer'] },
    list: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5, default: ['x'] },
    set: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    map: { type: 'object', additionalProperties: { type: 'number' }, default: { a: 1 } },
    nested: {
      type: 'object',
      required: ['inner'],
      properties: { inner: { type: 'boolean' }, other: { type: 'string' } },
      oneOf: [
        { title: 'First', properties: { kind: { const: 'a' }, a: { type: 'string' } }, required: ['kind'] },
        { title: 'Second', properties: { kind: { const: 'b' }, b: { type: 'number' } } },
      ],
    },
    tree: { $ref: '#/$defs/node' },
    merged: { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { required: ['a'] }] },
  },
  if: { properties: { count: { const: 1 } } },
  then: { properties: { extra: { type: 'string' } } },
  dependentSchemas: { text: { properties: { more: { type: 'string' } } } },
  patternProperties: { '^x-': { type: 'string' } },
  $defs: {
    node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, value: { type: 'number' } } },
  },
};

const outputSchema = {
  type: 'object',
  required: ['word'],
  properties: { word: { type: 'string', pattern: '^[a-z]+$' }, rows: { type: 'array' } },
};

const content = [
  { type: 'text', text: '# A title\n\nSome *words* and a [link](https://a.example/).', annotations },
  { type: 'text', text: '{"a":[1,2]}' },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: '- a\n- b' } },
  { type: 'resource', resource: { uri: 'file:///a.bin', mimeType: 'application/pdf', blob: 'AAAA' } },
  { type: 'resource_link', uri: 'file:///b', name: 'b', mimeType: 'text/plain', size: 5, ...described },
];

const elicitation = {
  mode: 'form',
  message: 'Your name?',
  requestedSchema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Name', description: 'As people call you.', default: 'Ada' },
      email: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      agreed: { type: 'boolean', default: false },
      color: {
        type: 'string',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'Green' },
        ],
      },
      days: { type: 'array', items: { anyOf: [{ const: 'mo', title: 'Monday' }] }, default: ['mo'] },
    },
  },
};
const urlElicitation = {
  mode: 'url',
  elicitationId: 'el-1',
  message: 'Please log in there.',
  url: 'https://a.example/login?x=1',
};
const sampling = {
  messages: [
    { role: 'user', content: { type: 'text', text: 'Say something.' } },
    { role: 'assistant', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
  ],
  modelPreferences: { hints: [{ name: 'claude' }], costPriority: 0.1, speedPriority: 0.2 },
  systemPrompt: 'Be short.',
  includeContext: 'none',
  temperature: 0.5,
  maxTokens: 100,
  stopSequences: ['END'],
  tools: [{ name: 'search', inputSchema: { type: 'object' } }],
  toolChoice: { mode: 'auto' },
  metadata: { a: 1 },
};
const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};
const serverInfo = { name: 'fuzz', version: '1.0.0', websiteUrl: 'https://a.example/', ...described };
const task = {
  taskId: 'task-1',
  status: 'working',
  statusMessage: 'Half of it is done.',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:01Z',
  ttl: 60_000,
  pollInterval: 50,
};
const statelessTask = {
  resultType: 'task',
  taskId: 'task-2',
  status: 'input_required',
  statusMessage: 'It waits.',
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:01Z',
  ttlMs: 60_000,
  pollIntervalMs: 50,
  inputRequests: { name: { method: 'elicitation/create', params: elicitation } },
};
const endpoint = (path: string) => `${ORIGIN}/${path}`;

/** What is listed, one item each. */
export const ITEMS = {
  tool: {
    name: 'a-tool',
    ...described,
    inputSchema: schema,
    outputSchema,
    annotations: { title: 'Another title', readOnlyHint: true, destructiveHint: false, openWorldHint: true },
    execution: { taskSupport: 'optional' },
  },
  resource: { uri: 'file:///a.txt', name: 'a', mimeType: 'text/plain', size: 7, annotations, ...described },
  template: {
    uriTemplate: 'file:///{a}{?b*}',
    name: 'files',
    mimeType: 'text/plain',
    annotations,
    ...described,
  },
  prompt: {
    name: 'a-prompt',
    ...described,
    arguments: [
      { name: 'first', title: 'First', description: 'The first one.', required: true },
      { name: 'second', required: false },
    ],
  },
} as const;

/** What answers a request. */
export const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities,
    serverInfo,
    instructions: 'Call the tools in order.',
  },
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities: { ...capabilities, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    serverInfo,
    instructions: 'Call the tools in order.',
    ttlMs: 0,
    cacheScope: 'private',
  },
  'tools/list': { tools: [], nextCursor: 'page-2', ttlMs: 0, cacheScope: 'public', _meta: {} },
  'resources/list': { resources: [], nextCursor: 'page-2' },
  'resources/templates/list': { resourceTemplates: [], nextCursor: 'page-2' },
  'prompts/list': { prompts: [], nextCursor: 'page-2' },
  'tools/call': {
    resultType: 'complete',
    content,
    structuredContent: {
      word: 'abc',
      rows: [
        { a: 1, b: 'x' },
        { a: 2, b: null },
      ],
    },
    isError: false,
    _meta: { 'a.example/b': { c: 1 } },
  },
  'resources/read': {
    contents: [
      { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'Some text.' },
      { uri: 'file:///a.png', mimeType: 'image/png', blob: 'AAAA', _meta: {} },
    ],
    ttlMs: 1000,
    cacheScope: 'private',
  },
  'prompts/get': {
    description: 'A prompt.',
    messages: content.map((one, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: one })),
  },
  'completion/complete': { completion: { values: ['one', 'two'], total: 9, hasMore: true } },
  'tasks/list': { tasks: [task], nextCursor: 'page-2' },
  'tasks/get': { ...task, status: 'completed' },
} as const;

/** What a call may be answered with beside its result. */
export const CALL_ANSWERS = {
  error: {
    error: { code: -32602, message: 'This argument is wrong.', data: { field: 'text', why: ['too long'] } },
  },
  'URL required': {
    error: { code: -32042, message: 'A login is needed.', data: { elicitations: [urlElicitation] } },
  },
  task: { result: { task, _meta: {} } },
  'input required': {
    result: {
      resultType: 'input_required',
      inputRequests: {
        name: { method: 'elicitation/create', params: elicitation },
        text: { method: 'sampling/createMessage', params: sampling },
        roots: { method: 'roots/list' },
      },
      requestState: 'opaque',
    },
  },
  'stateless task': { result: statelessTask },
} as const;

/** What comes beside a call, on its stream or on the standalone one. */
export const MESSAGES = {
  progress: {
    method: 'notifications/progress',
    params: { progressToken: REQUEST_ID, progress: 1, total: 2, message: 'Working.' },
  },
  log: {
    method: 'notifications/message',
    params: { level: 'warning', logger: 'core', data: { text: 'Something.', at: [1, 2] } },
  },
  'list changed': { method: 'notifications/tools/list_changed', params: { _meta: {} } },
  updated: { method: 'notifications/resources/updated', params: { uri: 'file:///a.txt', title: 'a' } },
  cancelled: { method: 'notifications/cancelled', params: { requestId: 'q-1', reason: 'No more needed.' } },
  'task status': { method: 'notifications/tasks/status', params: { ...task, status: 'working' } },
  'elicitation complete': {
    method: 'notifications/elicitation/complete',
    params: { elicitationId: 'el-1' },
  },
  acknowledged: {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///a.txt'] } },
  },
  elicitation: { id: 'q-form', method: 'elicitation/create', params: elicitation },
  'URL elicitation': { id: 'q-url', method: 'elicitation/create', params: urlElicitation },
  sampling: { id: 7, method: 'sampling/createMessage', params: sampling },
  roots: { id: 'q-roots', method: 'roots/list', params: { _meta: {} } },
  ping: { id: 'q-ping', method: 'ping' },
} as const;

/** Server-sent events, before they're written down: `data` is a message. */
export const FRAME = {
  event: 'message',
  id: 'event-1',
  retry: 100,
  comment: 'still here',
  data: '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}',
} as const;

/** An HTTP response that isn't the expected one. */
export const HTTP_ERROR = {
  status: 400,
  headers: { 'content-type': 'application/json', 'retry-after': '1', 'mcp-session-id': 's' },
  body: { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad request', data: [1] } },
} as const;

export const OAUTH = {
  challenge: {
    header: `Bearer error="invalid_token", error_description="Log in.", scope="a b", resource_metadata="${endpoint('.well-known/oauth-protected-resource/mcp')}"`,
  },
  resource: {
    resource: endpoint('mcp'),
    authorization_servers: [ORIGIN],
    scopes_supported: ['a', 'b'],
    resource_name: 'Fuzz',
    bearer_methods_supported: ['header'],
  },
  issuer: {
    issuer: ORIGIN,
    authorization_endpoint: endpoint('authorize'),
    token_endpoint: endpoint('token'),
    registration_endpoint: endpoint('register'),
    revocation_endpoint: endpoint('revoke'),
    scopes_supported: ['a', 'b'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: false,
  },
  registration: {
    client_id: 'a-client',
    client_secret: 'a-client-secret-77',
    client_secret_expires_at: 0,
    client_id_issued_at: 1,
    redirect_uris: [ORIGIN],
    token_endpoint_auth_method: 'none',
  },
  token: {
    access_token: 'an-access-token-77',
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: 'a-refresh-token-77',
    scope: 'a b',
    id_token: 'a.b.c',
  },
  'token error': {
    error: 'invalid_grant',
    error_description: 'It is too old.',
    error_uri: 'https://a.example/',
  },
} as const;

const stamp = (seq: number) => ({ seq, at: 1_760_000_000_000 + seq, load: 1 });
const CALL = '01JCALL0000000000000000AAA';
const message = { jsonrpc: '2.0', id: CALL, result: RESULTS['tools/call'] };

/** An exported log: an entry of every kind, and of every member of its unions. */
export const LOG = {
  format: 'reprise-log',
  version: 4,
  leftOut: ['Nothing.'],
  server: 'fuzz',
  url: 'http://127.0.0.1:1/mcp',
  exportedAt: 1_760_000_000_000,
  entries: [
    { kind: 'load', reason: 'opened', pageLeftAt: 1_760_000_000_000 },
    { kind: 'state', state: { name: 'idle' } },
    { kind: 'state', state: { name: 'connecting', url: 'http://127.0.0.1:1/mcp' } },
    {
      kind: 'state',
      state: {
        name: 'authorizing',
        reason: { code: 'login-needed', how: 'scope', scope: 'all' },
        ask: 'login',
      },
    },
    {
      kind: 'era',
      era: 'session',
      protocolVersion: '2025-11-25',
      reason: { code: 'probe-answered', how: 'session', versions: ['2025-11-25'] },
    },
    { kind: 'session', protocolVersion: '2025-11-25', serverName: 'fuzz' },
    {
      kind: 'auth',
      step: 'token',
      method: 'POST',
      url: 'http://a.example/',
      status: 200,
      sent: { a: 'b' },
      answer: '{}',
      problem: 'None.',
    },
    { kind: 'state', state: { name: 'connected', how: 'resumed', recovered: 2, note: 'It reconnected.' } },
    {
      kind: 'call',
      callId: CALL,
      change: {
        name: 'sending',
        tool: 'a-tool',
        args: { a: 1 },
        timeoutMs: 1000,
        backgroundMs: 10,
        repeatable: true,
      },
    },
    { kind: 'call', callId: CALL, change: { name: 'open' } },
    {
      kind: 'sent',
      stream: CALL,
      callId: CALL,
      method: 'tools/call',
      message: {
        jsonrpc: '2.0',
        id: CALL,
        method: 'tools/call',
        params: { name: 'a-tool', arguments: { a: 1 } },
      },
    },
    {
      kind: 'http',
      stream: CALL,
      callId: CALL,
      method: 'POST',
      url: 'http://127.0.0.1:1/mcp',
      status: 200,
      durationMs: 5,
      requestHeaders: { accept: 'text/event-stream' },
      responseHeaders: { 'content-type': 'text/event-stream' },
    },
    { kind: 'position', stream: CALL, callId: CALL, eventId: 'e0' },
    {
      kind: 'received',
      stream: CALL,
      callId: CALL,
      eventId: 'e1',
      replayed: true,
      method: 'notifications/progress',
      message: {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: CALL, progress: 1, total: 2, message: 'Working.' },
      },
    },
    { kind: 'duplicate', stream: CALL, callId: CALL, eventId: 'e1' },
    {
      kind: 'malformed',
      stream: CALL,
      callId: CALL,
      eventId: 'e2',
      reason: { code: 'not-json' },
      excerpt: '{',
    },
    {
      kind: 'received',
      stream: CALL,
      callId: CALL,
      eventId: 'e3',
      method: 'elicitation/create',
      message: { jsonrpc: '2.0', ...MESSAGES.elicitation },
    },
    {
      kind: 'question',
      requestId: 'q-form',
      change: { name: 'answering', reason: { code: 'rule', how: 'declined' } },
    },
    {
      kind: 'question',
      requestId: 'q-form',
      change: {
        name: 'answered',
        response: { action: 'accept', content: { name: 'Ada' } },
        reason: { code: 'rule', how: 'declined' },
      },
    },
    { kind: 'question', requestId: 'q-url', change: { name: 'completed' } },
    {
      kind: 'question',
      requestId: 'q-url',
      change: { name: 'expired', reason: { code: 'timed-out', how: 'elicitation', timeoutMs: 1000 } },
    },
    { kind: 'call', callId: CALL, change: { name: 'retrying' } },
    { kind: 'call', callId: CALL, change: { name: 'background' } },
    {
      kind: 'task',
      taskId: 'task-1',
      callId: CALL,
      change: { name: 'ended', reason: { code: 'task-expired', how: 'task', ttlMs: 1000 } },
    },
    { kind: 'received', stream: CALL, callId: CALL, eventId: 'e4', message },
    {
      kind: 'stream-end',
      stream: CALL,
      callId: CALL,
      how: 'broken',
      reason: { code: 'broken', text: 'network error' },
    },
    {
      kind: 'call',
      callId: 'c2',
      change: {
        name: 'lost',
        reason: {
          code: 'sessions-forgotten',
          because: { code: 'session-ended', how: 'forgotten', status: 404 },
        },
      },
    },
    {
      kind: 'call',
      callId: 'c3',
      change: { name: 'failed', error: { code: -1, message: 'It failed.' }, reason: { code: 'rpc-error' } },
    },
    {
      kind: 'note',
      level: 'warn',
      reason: {
        code: 'lists-changed',
        changes: [
          {
            list: 'tools',
            added: { number: 1, names: ['a'] },
            removed: { number: 0 },
            changed: { number: 1, items: [{ name: 'b', fields: ['title'] }] },
          },
        ],
      },
    },
    {
      kind: 'state',
      state: { name: 'reconnecting', attempt: 1, retryAt: 1_760_000_000_100, reason: { code: 'broken' } },
    },
    {
      kind: 'state',
      state: { name: 'disconnected', reason: { code: 'recorded', text: 'You disconnected.' } },
    },
    {
      kind: 'state',
      state: {
        name: 'failed',
        reason: { code: 'cors', how: 'headers', names: ['a'], origin: 'http://localhost' },
      },
    },
  ].map((entry, i) => ({ ...stamp(i + 1), ...entry })),
};
