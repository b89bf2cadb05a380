/** Serves a catalog to a request of 2026-07-28. */
import {
  completable,
  ResourceTemplate,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { contentsOf, type Catalog } from '../catalog.ts';
import { inRounds, type Rounds } from './inRounds.ts';

export function serveModernCatalog(
  mcp: McpServer,
  { resources, templates, prompts }: Catalog,
  rounds: Rounds,
): void {
  for (const { name, uri, read, contentMeta, ...about } of resources) {
    mcp.registerResource(name, uri, about, (_uri, ctx) =>
      inRounds(name, ctx, rounds, async (context) =>
        contentsOf(uri, about.mimeType, await read(context), contentMeta),
      ),
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
    const fields = Object.entries(args).map(([arg, { description, complete }]) => [
      arg,
      completable(description === undefined ? z.string() : z.string().describe(description), complete),
    ]);
    const get = (values: Record<string, string>, ctx: ServerContext) =>
      inRounds(name, ctx, rounds, async (context) => ({ messages: await messages(values, context) }));
    if (fields.length === 0) mcp.registerPrompt(name, about, (ctx: ServerContext) => get({}, ctx));
    else {
      const argsSchema = z.object(Object.fromEntries(fields) as Record<string, z.ZodString>);
      mcp.registerPrompt(name, { ...about, argsSchema }, get);
    }
  }
}
