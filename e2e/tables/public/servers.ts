/** Public servers and small programs on public frameworks, at fixed versions: what `npm run verify:public` judges. */

export interface PublicServer {
  readonly name: string;
  /** The first one is what is judged; the others are what it needs. */
  readonly packages: Readonly<Record<string, string>>;
  readonly language: 'TypeScript' | 'Python';
  /** Which SDK speaks the protocol. */
  readonly sdk: 'v1' | 'v2' | 'Python' | 'its own';
  readonly run: Run;
  /** `/mcp` if left out. */
  readonly path?: string;
  /** Where the harness would not choose one by itself. */
  readonly tool?: string;
  readonly args?: object;
}

/** `$PORT` in the arguments stands for the port; it is in the environment as PORT too. */
export type Run =
  | { readonly kind: 'program'; readonly file: string; readonly args?: readonly string[] }
  | {
      readonly kind: 'package';
      /** Below `node_modules`. */
      readonly file: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      /** It has its port written into it. */
      readonly movesPort?: true;
    };

const SDK1 = { '@modelcontextprotocol/sdk': '1.32.2', express: '5.3.0', cors: '2.8.6', zod: '4.6.7' };
const SDK2 = {
  '@modelcontextprotocol/server': '2.4.0',
  '@modelcontextprotocol/node': '2.1.2',
  '@modelcontextprotocol/express': '2.0.2',
  '@modelcontextprotocol/hono': '2.0.2',
  '@modelcontextprotocol/fastify': '2.0.1',
  express: '5.3.0',
  hono: '4.13.18',
  '@hono/node-server': '2.1.8',
  fastify: '5.12.8',
  zod: '4.6.7',
};
const NEST = {
  '@rekog/mcp-nest': '2.0.5',
  '@nestjs/core': '12.5.0',
  '@nestjs/common': '12.5.0',
  '@nestjs/microservices': '12.1.1',
  '@nestjs/platform-express': '12.5.0',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  zod: '4.6.7',
};
const HONO = { hono: '4.13.18', '@hono/node-server': '2.1.8' };
const ZOD = { zod: '4.6.7' };
const EVERYTHING = { '@modelcontextprotocol/server-everything': '2026.8.31' };
const EVERYTHING_JS = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
const TYPESCRIPT = { language: 'TypeScript' } as const;
const COUNT = { tool: 'count', args: {} };

/** An example of the SDK itself. */
const example = (name: string, call: Pick<PublicServer, 'tool' | 'args'> = {}): PublicServer => ({
  name: `SDK v1 example ${name}`,
  packages: SDK1,
  ...TYPESCRIPT,
  sdk: 'v1',
  run: {
    kind: 'package',
    file: `@modelcontextprotocol/sdk/dist/esm/examples/server/${name}.js`,
    movesPort: true,
  },
  ...call,
});

/** A program of the folder `programs`, with the tool `count`. */
const program = (
  name: string,
  sdk: PublicServer['sdk'],
  packages: PublicServer['packages'],
  [file, mode]: readonly [string, string?],
  call: Pick<PublicServer, 'tool' | 'args'> = COUNT,
): PublicServer => ({
  name,
  packages,
  language: file.endsWith('.py') ? 'Python' : 'TypeScript',
  sdk,
  run: { kind: 'program', file, ...(mode !== undefined && { args: [mode] }) },
  ...call,
});

/** A server that is made to be used, and not to be built on. */
const tool = (
  name: string,
  sdk: PublicServer['sdk'],
  [from, version, file]: readonly [string, string, string],
  run: { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
  call: Pick<PublicServer, 'tool' | 'args'> = {},
): PublicServer => ({
  name,
  packages: { [from]: version },
  ...TYPESCRIPT,
  sdk,
  run: { kind: 'package', file: `${from}/${file}`, ...run },
  ...call,
});

/** One of the example servers of MCP Apps. */
const app = (
  name: string,
  version: string,
  call: Pick<PublicServer, 'tool' | 'args'> = {},
): PublicServer => ({
  name: `MCP Apps ${name}`,
  packages: { [`@modelcontextprotocol/server-${name}`]: version },
  ...TYPESCRIPT,
  sdk: 'v2',
  run: { kind: 'package', file: `@modelcontextprotocol/server-${name}/dist/index.js` },
  ...call,
});

export const PUBLIC_SERVERS: readonly PublicServer[] = [
  {
    name: 'server-everything',
    packages: EVERYTHING,
    ...TYPESCRIPT,
    sdk: 'v1',
    run: {
      kind: 'package',
      file: '@modelcontextprotocol/server-everything/dist/index.js',
      args: ['streamableHttp'],
    },
    // Long enough that it still runs when a page is back: it's then that its streams stall.
    tool: 'trigger-long-running-operation',
    args: { duration: 10, steps: 20 },
  },
  example('simpleStreamableHttp'),
  example('ssePollingExample', { tool: 'long-task', args: {} }),
  example('jsonResponseStreamableHttp', { tool: 'multi-greet', args: { name: 'Reprise' } }),
  example('sseAndStreamableHttpCompatibleServer'),
  example('simpleStatelessStreamableHttp'),
  example('elicitationFormExample'),
  example('standaloneSseWithGetStreamableHttp'),
  program('SDK v1, Express, event store', 'v1', SDK1, ['sdk1.mjs', 'events']),
  program('SDK v1, Express', 'v1', SDK1, ['sdk1.mjs', 'plain']),
  program('SDK v1, Express, JSON', 'v1', SDK1, ['sdk1.mjs', 'json']),
  program('SDK v1, Express, stateless', 'v1', SDK1, ['sdk1.mjs', 'stateless']),
  program('SDK v2, Express, event store', 'v2', SDK2, ['sdk2.mjs', 'events']),
  program('SDK v2, Express', 'v2', SDK2, ['sdk2.mjs', 'plain']),
  program('SDK v2, Hono', 'v2', SDK2, ['sdk2.mjs', 'hono']),
  program('SDK v2, Fastify', 'v2', SDK2, ['sdk2.mjs', 'fastify']),
  program('FastMCP (TypeScript)', 'v2', { fastmcp: '4.20.16', ...ZOD }, ['fastmcp.mjs', 'stateful']),
  program('FastMCP (TypeScript), stateless', 'v2', { fastmcp: '4.20.16', ...ZOD }, [
    'fastmcp.mjs',
    'stateless',
  ]),
  {
    name: 'mcp-proxy with server-everything',
    packages: { 'mcp-proxy': '6.7.19', ...EVERYTHING },
    ...TYPESCRIPT,
    sdk: 'v2',
    run: {
      kind: 'package',
      file: 'mcp-proxy/dist/bin/mcp-proxy.mjs',
      args: ['--port', '$PORT', '--', 'node', EVERYTHING_JS, 'stdio'],
    },
  },
  {
    name: 'supergateway with server-everything',
    packages: { supergateway: '4.0.0', ...EVERYTHING },
    ...TYPESCRIPT,
    sdk: 'v1',
    run: {
      kind: 'package',
      file: 'supergateway/dist/index.js',
      args: [
        ...['--stdio', `node ${EVERYTHING_JS} stdio`, '--outputTransport', 'streamableHttp'],
        ...['--stateful', '--cors', '--port', '$PORT'],
      ],
    },
  },
  {
    name: 'supergateway with server-everything, stateless',
    packages: { supergateway: '4.0.0', ...EVERYTHING },
    ...TYPESCRIPT,
    sdk: 'v1',
    run: {
      kind: 'package',
      file: 'supergateway/dist/index.js',
      args: [
        ...['--stdio', `node ${EVERYTHING_JS} stdio`, '--outputTransport', 'streamableHttp'],
        ...['--cors', '--port', '$PORT'],
      ],
    },
  },
  program('@hono/mcp, one transport', 'v1', { '@hono/mcp': '0.3.2', ...HONO, ...SDK1 }, [
    'hono-mcp.mjs',
    'shared',
  ]),
  program('@hono/mcp, event store', 'v1', { '@hono/mcp': '0.3.2', ...HONO, ...SDK1 }, [
    'hono-mcp.mjs',
    'events',
  ]),
  program('mcp-handler', 'v2', { 'mcp-handler': '2.3.0', '@modelcontextprotocol/server': '2.4.0', ...HONO }, [
    'mcp-handler.mjs',
  ]),
  program('mcp-lite', 'its own', { 'mcp-lite': '0.10.0', ...HONO, ...ZOD }, ['mcp-lite.mjs', 'sessions']),
  program('mcp-lite, stateless', 'its own', { 'mcp-lite': '0.10.0', ...HONO, ...ZOD }, [
    'mcp-lite.mjs',
    'stateless',
  ]),
  program('tmcp', 'its own', { tmcp: '1.20.0', '@tmcp/transport-http': '0.9.0', srvx: '1.0.8' }, [
    'tmcp.mjs',
  ]),
  program('mcp-use', 'v2', { 'mcp-use': '2.5.2', ...ZOD }, ['mcp-use.mjs']),
  program('mcp-framework, stream', 'v1', { 'mcp-framework': '0.2.22' }, ['mcp-framework.mjs', 'stream']),
  program('mcp-framework, batch', 'v1', { 'mcp-framework': '0.2.22' }, ['mcp-framework.mjs', 'batch']),
  program('MCP-Nest', 'v2', NEST, ['mcp-nest.mjs']),
  program('Mastra', 'v2', { '@mastra/mcp': '2.0.0', '@mastra/core': '1.71.0', ...ZOD }, ['mastra.mjs']),
  program('fastify-mcp', 'v1', { 'fastify-mcp': '3.0.0', fastify: '5.12.8' }, [
    'fastify-mcp.mjs',
    'stateful',
  ]),
  program('fastify-mcp, stateless', 'v1', { 'fastify-mcp': '3.0.0', fastify: '5.12.8' }, [
    'fastify-mcp.mjs',
    'stateless',
  ]),
  tool('Context7', 'v2', ['@upstash/context7-mcp', '4.1.1', 'dist/index.js'], {
    args: ['--transport', 'http', '--port', '$PORT'],
  }),
  tool('Brave Search', 'v1', ['@brave/brave-search-mcp-server', '2.1.4', 'dist/index.js'], {
    args: ['--transport', 'http', '--port', '$PORT', '--brave-api-key', 'none'],
  }),
  tool('Notion', 'v1', ['@notionhq/notion-mcp-server', '2.5.2', 'bin/cli.mjs'], {
    args: ['--transport', 'http', '--port', '$PORT', '--disable-auth'],
    env: { NOTION_TOKEN: 'none' },
  }),
  tool('MongoDB', 'v2', ['mongodb-mcp-server', '3.0.4', 'dist/esm/index.js'], {
    args: ['--transport', 'http', '--httpPort', '$PORT'],
  }),
  tool(
    'Playwright MCP',
    'v1',
    ['@playwright/mcp', '0.0.83', 'cli.js'],
    {
      args: ['--headless', '--no-sandbox', '--isolated', '--executable-path', '$CHROMIUM', '--port', '$PORT'],
    },
    // It opens a page first, as other tools need one, and the page keeps it busy.
    {
      tool: 'browser_navigate',
      args: { url: 'data:text/html,<script>const e=Date.now()+2500;while(Date.now()<e);</script>' },
    },
  ),
  program('Python SDK, event store', 'Python', { mcp: '2.3.0' }, ['python_sdk.py', 'events']),
  program('Python SDK', 'Python', { mcp: '2.3.0' }, ['python_sdk.py', 'plain']),
  program('Python SDK, JSON', 'Python', { mcp: '2.3.0' }, ['python_sdk.py', 'json']),
  program('Python SDK, stateless', 'Python', { mcp: '2.3.0' }, ['python_sdk.py', 'stateless']),
  program('FastMCP (Python), event store', 'Python', { fastmcp: '4.0.10' }, ['python_fastmcp.py', 'events']),
  program('FastMCP (Python)', 'Python', { fastmcp: '4.0.10' }, ['python_fastmcp.py', 'plain']),
  program('FastMCP (Python), stateless', 'Python', { fastmcp: '4.0.10' }, ['python_fastmcp.py', 'stateless']),
  app('basic-vanillajs', '2.0.3'),
  app('debug', '2.0.3', { tool: 'debug-tool', args: { delayMs: 3000 } }),
  app('map', '2.0.3'),
  app('threejs', '2.0.3'),
  app('system-monitor', '2.0.3'),
  app('shadertoy', '2.0.3'),
  app('sheet-music', '2.0.3'),
  app('budget-allocator', '2.0.3'),
];
