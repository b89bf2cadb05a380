import { expect, test } from 'vitest';
import { bridgeCommand, bridgeForTyped, bridgeUrlCommand } from './bridgeCommand.ts';

test('a command follows --, and variables are passed by name', () => {
  expect(bridgeCommand('npx -y server-files .')).toBe('npx mcp-reprise bridge -- npx -y server-files .');
  expect(bridgeCommand('node server.js', ['GITHUB_TOKEN', 'HOST'])).toBe(
    'npx mcp-reprise bridge --env GITHUB_TOKEN --env HOST -- node server.js',
  );
});

test('a URL that a shell would take apart is quoted', () => {
  expect(bridgeUrlCommand('https://a.example/mcp')).toBe('npx mcp-reprise bridge https://a.example/mcp');
  expect(bridgeUrlCommand('https://a.example/mcp?a=1&b=2')).toBe(
    "npx mcp-reprise bridge 'https://a.example/mcp?a=1&b=2'",
  );
});

test.each([
  'npx -y @modelcontextprotocol/server-everything',
  '  uvx mcp-server-git --repository "/my docs" ',
  'node ./server.js',
  './server --stdio',
  '/opt/server',
  '~/bin/server',
  'docker run -i --rm mcp/time',
  'C:\\tools\\node.exe server.js',
])('%s is a command', (typed) => {
  expect(bridgeForTyped(typed)).toBe(`npx mcp-reprise bridge -- ${typed.trim()}`);
});

test('the bridge is not put in front of itself', () => {
  expect(bridgeForTyped('npx mcp-reprise bridge -- node a.js')).toBe('npx mcp-reprise bridge -- node a.js');
});

test.each(['', 'http://localhost:3000/mcp', 'localhost:3000', 'npx', 'node.example/mcp', 'not an address'])(
  '%j is no command',
  (typed) => {
    expect(bridgeForTyped(typed)).toBeUndefined();
  },
);
