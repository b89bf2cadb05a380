import { describe, expect, it } from 'vitest';
import { DEFAULT_BRIDGE_LIMITS } from '../../bridge/startBridge.ts';
import { parseBridge } from './bridgeOptions.ts';

const parse = (line: string, env: Record<string, string> = {}) => parseBridge(line.split(' '), env);

describe('the command line of the bridge', () => {
  it('takes everything after "--" as the command, options included', () => {
    expect(parse('--port 5000 -- npx -y server --port 1 -- --help')).toMatchObject({
      source: { kind: 'command', command: 'npx', args: ['-y', 'server', '--port', '1', '--', '--help'] },
      port: 5000,
    });
  });

  it('takes a URL, or a configuration with some of its servers', () => {
    expect(parse('https://example.org/mcp').source).toEqual({ kind: 'url', url: 'https://example.org/mcp' });
    expect(parse('--config mcp.json --only a --only b').source).toEqual({
      kind: 'config',
      path: 'mcp.json',
      only: ['a', 'b'],
    });
  });

  it('has the defaults of the docs', () => {
    expect(parse('-- node server.js')).toMatchObject({
      opensBrowser: true,
      limits: { ...DEFAULT_BRIDGE_LIMITS, idleMs: 600_000, maxEvents: 250_000, maxSessions: 20 },
      replay: 'auto',
      store: 'memory:',
      isQuiet: false,
    });
  });

  it('reads times and sizes with their units', () => {
    const { limits } = parse('--idle 90s --max-bytes 512KB --max-message 1GB --max-events 1000 -- a');
    expect(limits).toMatchObject({
      idleMs: 90_000,
      maxBytes: 512 * 1024,
      maxMessageBytes: 1024 ** 3,
      maxEvents: 1000,
    });
  });

  it('reads headers and the token from the environment', () => {
    const env = { MY_HEADER: 'Bearer secret', MCP_REPRISE_TOKEN: 'x'.repeat(32) };
    expect(parse('--header-env Authorization=MY_HEADER https://example.org/mcp', env)).toMatchObject({
      headers: { Authorization: 'Bearer secret' },
      token: 'x'.repeat(32),
    });
  });

  it.each([
    ['--quiet', 'Missing server. Use a command'],
    ['https://example.org/mcp -- node x', 'Use only one of'],
    ['npx -y server', "Unknown option '-y'"],
    ['npx server', 'Put a command after "--": mcp-reprise bridge -- npx server'],
    ['ftp://example.org', "isn't an http or https URL"],
    ['--', 'Missing command after'],
    ['--only a -- node', '--only requires --config'],
    ['--idle 10 -- node', '--idle must look like'],
    ['--max-bytes much -- node', '--max-bytes must look like'],
    ['--env A=b -- node', 'not its value'],
    ['--origin example.org -- node', '--origin must look like'],
    ['--host 0.0.0.0 -- node', "Unknown option '--host'"],
    ['--store file:x -- node', '--store must be'],
    ['--replay server -- node', '--replay must be'],
    ['--header-env X=NOT_SET https://example.org/mcp', "NOT_SET isn't set"],
  ])('refuses "%s"', (line, why) => {
    expect(() => parse(line)).toThrow(why);
  });

  it('refuses a token that could be guessed, and does not show it', () => {
    expect(() => parse('-- node', { MCP_REPRISE_TOKEN: 'hunter2' })).toThrow(/^(?!.*hunter2).*16 characters/);
  });
});
