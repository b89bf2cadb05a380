/** The example servers of the authors of MCP Apps, in the versions that were measured. */
export interface ExampleServer {
  readonly name: string;
  readonly version: string;
  /** The first tool with a view, if left out. */
  readonly tool?: string;
  readonly args?: object;
  /** Its view loads from the network. */
  readonly wantsNetwork?: true;
  /** It has no stdio. */
  readonly isHttp?: true;
}

const example = (name: string, rest: Partial<ExampleServer> = {}): ExampleServer => ({
  name: `@modelcontextprotocol/server-${name}`,
  version: '2.0.3',
  ...rest,
});

export const EXAMPLE_SERVERS: readonly ExampleServer[] = [
  example('basic-vanillajs'),
  example('basic-react'),
  example('basic-vue'),
  example('basic-svelte'),
  example('basic-preact'),
  example('basic-solid'),
  example('budget-allocator'),
  example('cohort-heatmap'),
  example('customer-segmentation'),
  example('debug'),
  example('lazy-auth', { isHttp: true, tool: 'show_auth_button' }),
  example('map', { wantsNetwork: true }),
  example('pdf', { version: '2.0.4', wantsNetwork: true }),
  example('scenario-modeler'),
  example('shadertoy'),
  // Its view draws what it was called with, not the default.
  example('sheet-music', {
    args: { abcNotation: 'X:1\nT:Scale\nM:4/4\nL:1/4\nK:C\nCDEF|GABc|' },
    wantsNetwork: true,
  }),
  example('system-monitor'),
  example('threejs'),
  example('transcript'),
  example('video-resource'),
  example('wiki-explorer', { wantsNetwork: true }),
];
