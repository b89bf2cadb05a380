/** Words of MCP and JSON-RPC. A string that is one of them is never hidden, even if a typed header has it as its value. */
export const PROTOCOL_WORDS: ReadonlySet<string> = new Set([
  // JSON-RPC
  ...['jsonrpc', 'method', 'params', 'result', 'error', 'message'],
  // Methods
  ...['initialize', 'server/discover', 'tools/list', 'tools/call', 'resources/list', 'resources/read'],
  ...['resources/templates/list', 'resources/subscribe', 'resources/unsubscribe', 'subscriptions/listen'],
  ...['prompts/list', 'prompts/get', 'completion/complete', 'logging/setLevel', 'roots/list'],
  ...['sampling/createMessage', 'elicitation/create', 'tasks/get', 'tasks/result', 'tasks/list'],
  ...['tasks/update', 'tasks/cancel', 'notifications/initialized', 'notifications/cancelled'],
  ...['notifications/progress', 'notifications/message', 'notifications/tools/list_changed'],
  ...['notifications/resources/list_changed', 'notifications/resources/updated', 'notifications/tasks'],
  ...['notifications/prompts/list_changed', 'notifications/roots/list_changed', 'notifications/tasks/status'],
  ...['notifications/elicitation/complete', 'notifications/subscriptions/acknowledged'],
  // Members that the page reads
  ...['arguments', 'progress', 'progressToken', 'requestId', 'content', 'structuredContent', 'isError'],
  ...['taskId', 'status', 'statusMessage', 'createdAt', 'lastUpdatedAt', 'ttlMs', 'pollInterval'],
  ...['pollIntervalMs', 'inputRequests', 'inputResponses', 'requestState', 'resultType', 'elicitationId'],
  ...['elicitations', 'requestedSchema', 'cursor', 'nextCursor', 'protocolVersion', 'capabilities'],
  ...['serverInfo', 'clientInfo', 'instructions', 'resources', 'resourceTemplates', 'prompts', 'inputSchema'],
  ...['outputSchema', 'annotations', 'description', 'mimeType', 'properties', 'required', 'cacheScope'],
  // Values that the page decides by
  ...[
    'working',
    'input_required',
    'completed',
    'failed',
    'cancelled',
    'complete',
    'accept',
    'decline',
    'cancel',
  ],
  ...['resource', 'resource_link', 'object', 'string', 'number', 'integer', 'boolean', 'public', 'private'],
]);
