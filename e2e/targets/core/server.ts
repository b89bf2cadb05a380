/** The MCP server of one session: tools, resources, prompts, completion, log level. */
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { TargetOptions } from './options.ts';
import { TOOLS } from './tools.ts';
import { serveTools } from './toolTable.ts';

const VERSION = '0.1.0';
const STREAMS = ['request', 'standalone', 'resumed'];
const CITIES = ['Amsterdam', 'Athens', 'Berlin', 'Bern', 'Lisbon', 'London'];

const startingWith = (words: readonly string[], value: string) =>
  words.filter((word) => word.toLowerCase().startsWith(value.toLowerCase()));

export function createServer(options: TargetOptions): McpServer {
  const mcp = new McpServer(
    { name: `reprise-target-${options.name ?? 'resumable'}`, title: 'Reprise target', version: VERSION },
    { capabilities: { logging: {} }, instructions: 'Call countdown and reload the page in the middle.' },
  );
  serveTools(mcp, () => [...TOOLS, ...(options.extraTools ?? [])]);
  registerResources(mcp, options.name ?? 'resumable');
  registerPrompts(mcp);
  options.decorate?.(mcp);
  return mcp;
}

function registerResources(mcp: McpServer, profile: string): void {
  mcp.registerResource(
    'about',
    'reprise://about',
    { title: 'About this target', mimeType: 'text/markdown' },
    (uri) => ({
      contents: [
        { uri: uri.href, mimeType: 'text/markdown', text: `# ${profile}\n\nA Reprise target server.` },
      ],
    }),
  );
  mcp.registerResource(
    'cities',
    'reprise://cities',
    { title: 'Some cities', mimeType: 'application/json' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(CITIES) }] }),
  );
  const template = new ResourceTemplate('reprise://streams/{kind}', {
    list: undefined,
    complete: { kind: (value) => startingWith(STREAMS, value) },
  });
  mcp.registerResource(
    'stream',
    template,
    { title: 'A kind of stream', mimeType: 'text/plain' },
    (uri, { kind }) => ({
      contents: [
        { uri: uri.href, mimeType: 'text/plain', text: `This is about the ${String(kind)} stream.` },
      ],
    }),
  );
}

function registerPrompts(mcp: McpServer): void {
  mcp.registerPrompt(
    'greet',
    {
      title: 'Greet a city',
      description: 'A greeting; the city completes.',
      argsSchema: { city: completable(z.string(), (value) => startingWith(CITIES, value)) },
    },
    ({ city }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet the people of ${city}.` } }],
    }),
  );
  mcp.registerPrompt(
    'explain',
    {
      title: 'Explain a stream',
      description: 'Asks for an explanation; the kind of stream completes.',
      argsSchema: { kind: completable(z.string(), (value) => startingWith(STREAMS, value)) },
    },
    ({ kind }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Explain the ${kind} stream of MCP.` } }],
    }),
  );
}
