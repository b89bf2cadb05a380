/** Serves a catalog to a session. */
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentsOf, type Catalog } from './catalog.ts';
import { askClient, type ToolExtra } from './sessionAsk.ts';
import type { ToolContext } from './toolContext.ts';

export function serveCatalog(mcp: McpServer, { resources, templates, prompts }: Catalog): void {
  for (const { name, uri, read, contentMeta, ...about } of resources) {
    mcp.registerResource(name, uri, about, async (_uri, extra) =>
      contentsOf(uri, about.mimeType, await read(asking(extra)), contentMeta),
    );
  }
  for (const { name, uriTemplate, variable, complete, read, ...about } of templates) {
    const template = new ResourceTemplate(uriTemplate, {
      list: undefined,
      ...(complete && { complete: { [variable]: complete } }),
    });
    mcp.registerResource(name, template, about, ({ href }, values) =>
      contentsOf(href, about.mimeType, read(String(values[variable]))),
    );
  }
  for (const { name, args, messages, ...about } of prompts) {
    if (Object.keys(args).length === 0) {
      // A prompt without arguments is given the request alone, whatever the types say.
      mcp.registerPrompt(name, about, async (extra: unknown) => ({
        messages: await messages({}, asking(extra as ToolExtra)),
      }));
      continue;
    }
    const argsSchema = Object.fromEntries(
      Object.entries(args).map(([arg, { description, complete }]) => [
        arg,
        completable(description === undefined ? z.string() : z.string().describe(description), complete),
      ]),
    );
    mcp.registerPrompt(name, { ...about, argsSchema }, async (values, extra) => ({
      messages: await messages(values as Record<string, string>, asking(extra)),
    }));
  }
}

function asking({ sendRequest }: ToolExtra): Pick<ToolContext, 'ask'> {
  return {
    ask: (requests) => askClient(requests, sendRequest),
  };
}
