import { describe, expect, test } from 'vitest';
import { fillIn, type Imported } from './imported.ts';
import { importConfig } from './importConfig.ts';

function read(config: unknown): readonly Imported[] {
  const result = importConfig(typeof config === 'string' ? config : JSON.stringify(config));
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

const remote = { name: 'docs', url: 'https://docs.example/mcp', kind: 'http' };

describe('finds the servers of', () => {
  test.each<[string, unknown]>([
    ['Claude, Cursor and Windsurf', { mcpServers: { docs: { url: remote.url } } }],
    ['VS Code’s mcp.json', { servers: { docs: { type: 'http', url: remote.url } }, inputs: [] }],
    ['VS Code’s settings.json', { 'editor.fontSize': 12, mcp: { servers: { docs: { url: remote.url } } } }],
    ['Gemini', { mcpServers: { docs: { httpUrl: remote.url } } }],
    ['Windsurf’s serverUrl', { mcpServers: { docs: { serverUrl: remote.url } } }],
    ['Zed', { context_servers: { docs: { url: remote.url } } }],
    ['opencode', { mcp: { docs: { type: 'remote', url: remote.url } } }],
    ['Amp', { 'amp.mcpServers': { docs: { url: remote.url } } }],
    ['a map of entries alone', { docs: { url: remote.url } }],
    ['an entry without its braces', '"docs": { "url": "https://docs.example/mcp" },'],
    [
      'JSON with comments',
      '{ // mine\n "mcpServers": { "docs": { "url": "https://docs.example/mcp", }, }, /* end */ }',
    ],
    ['the registry', { name: 'docs', remotes: [{ type: 'streamable-http', url: remote.url }] }],
    [
      'an answer of the registry',
      { servers: [{ server: { name: 'docs', remotes: [{ type: 'streamable-http', url: remote.url }] } }] },
    ],
  ])('%s', (_name, config) => {
    expect(read(config)).toMatchObject([remote]);
  });
});

test('names an entry that stands alone by its host', () => {
  expect(read({ url: remote.url })).toMatchObject([{ name: 'docs.example' }]);
});

test('asks for what the configuration takes from elsewhere, and hides what is secret', () => {
  const [entry] = read({
    inputs: [{ id: 'pin', type: 'promptString', password: true }],
    servers: {
      docs: {
        url: 'https://${env:HOST}/mcp',
        headers: { 'X-Pin': '${input:pin}', 'X-Team': '${TEAM:-blue}', 'X-Plain': 'yes' },
      },
    },
  });
  expect(entry).toMatchObject({
    kind: 'http',
    missing: [
      { label: 'HOST', isSecret: false },
      { label: 'pin', isSecret: true },
      { label: 'TEAM', preset: 'blue' },
    ],
  });
  expect(fillIn('https://${env:HOST}/mcp', { '${env:HOST}': 'a.example' })).toBe('https://a.example/mcp');
});

test('the registry’s templates and required headers are asked for', () => {
  expect(
    read({
      name: 'docs',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{host}/mcp',
          headers: [{ name: 'X-Key', isRequired: true, isSecret: true }],
        },
      ],
    }),
  ).toMatchObject([
    {
      url: 'https://${host}/mcp',
      headers: { 'X-Key': '${X-Key}' },
      missing: [{ label: 'host' }, { isSecret: true }],
    },
  ]);
});

test('a program gets the command of the bridge', () => {
  expect(
    read({ mcpServers: { files: { command: 'npx', args: ['-y', 'server-files', '/my docs'] } } }),
  ).toEqual([
    {
      kind: 'stdio',
      name: 'files',
      command: "npx -y server-files '/my docs'",
      bridge: "npx mcp-reprise bridge -- npx -y server-files '/my docs'",
      notes: [],
    },
  ]);
});

test('a variable of a program is passed by name, and its value is shown nowhere', () => {
  const entries = read({
    servers: {
      mail: { command: 'node', args: ['mail.js', '${workspaceFolder}'], env: { MAIL_KEY: 'KEY-OF-MAIL-7' } },
    },
  });
  expect(entries).toMatchObject([
    {
      bridge: "npx mcp-reprise bridge --env MAIL_KEY -- node mail.js '${workspaceFolder}'",
      notes: ['Set MAIL_KEY in the terminal first.', 'Replace each ${…} with its value.'],
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain('KEY-OF-MAIL-7');
});

test('packages of the registry get the command of the bridge', () => {
  expect(
    read({
      name: 'docs',
      packages: [
        {
          registryType: 'npm',
          identifier: 'docs-mcp',
          version: '1.2.0',
          environmentVariables: [{ name: 'DOCS_KEY', isSecret: true }],
          packageArguments: [
            { type: 'named', name: '--lang', value: 'en' },
            { type: 'positional', valueHint: 'folder', isRequired: true },
          ],
        },
        { registryType: 'pypi', identifier: 'docs-mcp' },
        { registryType: 'oci', identifier: 'docker.io/acme/docs:1.2.0' },
      ],
    }),
  ).toMatchObject([
    { bridge: "npx mcp-reprise bridge --env DOCS_KEY -- npx -y docs-mcp@1.2.0 --lang en '${folder}'" },
    { bridge: 'npx mcp-reprise bridge -- uvx docs-mcp' },
    { bridge: 'npx mcp-reprise bridge -- docker run -i --rm docker.io/acme/docs:1.2.0' },
  ]);
});

test('mcp-remote is a remote server after all', () => {
  expect(
    read({
      mcpServers: {
        docs: {
          command: 'npx',
          args: ['-y', 'mcp-remote@latest', remote.url, '--header', 'Authorization: Bearer ${TOKEN}'],
          env: { TOKEN: 'abc' },
        },
      },
    }),
  ).toMatchObject([{ ...remote, headers: { Authorization: 'Bearer abc' } }]);
});

test('packages, odd entries and odd addresses are told, not dropped', () => {
  expect(read({ name: 'docs', packages: [{ registryType: 'mcpb', identifier: 'docs-mcp' }] })).toMatchObject([
    { kind: 'unusable', why: expect.stringContaining('browsers can’t start local programs') },
  ]);
  expect(read({ mcpServers: { a: {}, b: 7, c: { url: 'javascript:alert(1)' } } })).toMatchObject([
    { kind: 'unusable' },
    { kind: 'unusable' },
    { kind: 'unusable' },
  ]);
});

test.each([
  ['', 'Paste a config first.'],
  ['{ "a": 1 }', 'No servers found.'],
  ['[mcp_servers.docs]\nurl = "x"', 'TOML isn’t supported'],
  ['mcpServers:\n  - name: docs', 'YAML isn’t supported'],
  ['{ "mcpServers": ', 'Invalid JSON'],
])('says what is wrong with %j', (text, words) => {
  const result = importConfig(text);
  expect(!result.ok && result.error).toContain(words);
});
