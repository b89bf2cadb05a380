/** Public servers that are judged as they come from the registry, at fixed versions. */
export const PACKAGES = {
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/sdk': '1.32.2',
} as const;

export interface PublicServer {
  readonly name: string;
  readonly from: keyof typeof PACKAGES;
  /** Below the folder of the package. */
  readonly script: string;
  readonly scriptArgs?: readonly string[];
  /** Where the harness would not find one by itself. */
  readonly tool?: string;
  readonly args?: object;
}

const example = (name: string, call: Pick<PublicServer, 'tool' | 'args'> = {}): PublicServer => ({
  name: `SDK example ${name}`,
  from: '@modelcontextprotocol/sdk',
  script: `dist/esm/examples/server/${name}.js`,
  ...call,
});

export const PUBLIC_SERVERS: readonly PublicServer[] = [
  {
    name: 'server-everything',
    from: '@modelcontextprotocol/server-everything',
    script: 'dist/index.js',
    scriptArgs: ['streamableHttp'],
  },
  example('simpleStreamableHttp'),
  example('ssePollingExample', { tool: 'long-task', args: {} }),
  example('jsonResponseStreamableHttp', { tool: 'multi-greet', args: { name: 'Reprise' } }),
  example('sseAndStreamableHttpCompatibleServer'),
  example('simpleStatelessStreamableHttp'),
  example('elicitationFormExample'),
  example('standaloneSseWithGetStreamableHttp'),
];
