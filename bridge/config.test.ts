import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const read = (
  value: unknown,
  more: { only?: string[]; env?: Record<string, string>; named?: string[] } = {},
) =>
  readConfig(typeof value === 'string' ? value : JSON.stringify(value), {
    path: '/home/me/project/.vscode/mcp.json',
    env: { HOME: '/home/me', PATH: '/bin', ...more.env },
    named: more.named ?? [],
    only: more.only ?? [],
  });

describe('the configuration of an editor', () => {
  it('is read with comments, under "servers" and "mcpServers"', () => {
    for (const key of ['servers', 'mcpServers']) {
      const text = `{ // mine\n "${key}": { "files": { "command": "npx", "args": ["-y", "x"], }, } }`;
      expect(read(text)).toMatchObject([
        { server: { name: 'files', transport: 'stdio', program: { command: 'npx', args: ['-y', 'x'] } } },
      ]);
    }
  });

  it('gives a program its own env and cwd, beside the six variables and those that were named', () => {
    const servers = { a: { command: 'a', env: { KEY: '${env:SECRET}', N: 1 }, cwd: 'sub' } };
    const [one] = read({ servers }, { env: { SECRET: 's', OTHER: 'o', NAMED: 'n' }, named: ['NAMED'] });
    expect(one).toMatchObject({
      server: {
        program: {
          env: { HOME: '/home/me', PATH: '/bin', KEY: 's', N: '1', NAMED: 'n' },
          cwd: '/home/me/project/sub',
        },
      },
    });
    expect(JSON.stringify(one)).not.toContain('OTHER');
  });

  it('replaces what editors replace', () => {
    const servers = { a: { command: '${workspaceFolder}/run', args: ['${HOME}', '${PORT:-80}'] } };
    expect(read({ servers })).toMatchObject([
      { server: { program: { command: '/home/me/project/run', args: ['/home/me', '80'] } } },
    ]);
  });

  it('reads HTTP servers with their headers', () => {
    const servers = { docs: { type: 'http', url: 'https://example.org/mcp', headers: { A: 'b' } } };
    expect(read({ servers })).toEqual([
      {
        kind: 'server',
        server: { transport: 'http', name: 'docs', url: 'https://example.org/mcp', headers: { A: 'b' } },
      },
    ]);
  });

  it('says why a server is skipped, and goes on with the others', () => {
    const servers = {
      mail: { command: 'mail', env: { P: '${input:password}' } },
      off: { command: 'x', disabled: true },
      odd: 1,
      none: {},
      ftp: { url: 'ftp://x' },
      ok: { command: 'ok' },
    };
    expect(read({ servers }).map((one) => (one.kind === 'skipped' ? one.why : one.server.name))).toEqual([
      '${input:password} has no value. Run this server separately, with --env.',
      'disabled in the file.',
      "its entry isn't an object.",
      'no command and no URL.',
      'its URL is invalid.',
      'ok',
    ]);
  });

  it('takes only those that were named, and knows when there is none', () => {
    const servers = { a: { command: 'a' }, b: { command: 'b' } };
    expect(read({ servers }, { only: ['b'] })).toMatchObject([{ server: { name: 'b' } }]);
    expect(() => read({ servers }, { only: ['c'] })).toThrow('mcp.json. Available: a, b.');
    expect(() => read('{')).toThrow('Invalid JSON in');
    expect(() => read({})).toThrow('neither "servers" nor "mcpServers"');
  });
});
