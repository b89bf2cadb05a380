/** What the public conformance suite needs to find in a server, as options for a target. */
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { TargetOptions } from '../core/options.ts';
import { RED_PIXEL_PNG } from './media.ts';
import { CONFORMANCE_TOOLS } from './tools.ts';

/**
 * `test_reconnection` closes its stream, so clients are told when to come back (SEP-1699). The time is short, and enough
 * for a server to notice that the old connection is gone.
 */
const RETRY_MS = 100;

export const conformanceFixtures: Pick<TargetOptions, 'extraTools' | 'decorate' | 'retryMs'> = {
  extraTools: CONFORMANCE_TOOLS,
  retryMs: RETRY_MS,
  decorate: (mcp) => {
    registerResources(mcp);
    registerSubscriptions(mcp);
    registerPrompts(mcp);
  },
};

function registerResources(mcp: McpServer): void {
  mcp.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  mcp.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: RED_PIXEL_PNG }],
  }));
  mcp.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched.' }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  mcp.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
    return { contents: [{ uri: href, mimeType: 'application/json', text }] };
  });
}

function registerSubscriptions(mcp: McpServer): void {
  const subscribed = new Set<string>();
  mcp.server.registerCapabilities({ resources: { subscribe: true } });
  mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

const user = <Content>(content: Content) => ({ role: 'user' as const, content });
const text = (words: string) => user({ type: 'text' as const, text: words });

function registerPrompts(mcp: McpServer): void {
  mcp.registerPrompt('test_simple_prompt', { description: 'A simple prompt.' }, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  const argument = (description: string) => completable(z.string().describe(description), () => []);
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with two arguments.',
      argsSchema: { arg1: argument('First test argument'), arg2: argument('Second test argument') },
    },
    ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'A prompt that holds a resource.',
      argsSchema: { resourceUri: argument('URI of the resource to embed') },
    },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          user({ type: 'resource' as const, resource }),
          text('Please process the embedded resource above.'),
        ],
      };
    },
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'A prompt that holds an image.' }, () => ({
    messages: [
      user({ type: 'image' as const, data: RED_PIXEL_PNG, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  }));
}
