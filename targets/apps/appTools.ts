/** Tools with views, and the resources of the views. */
import { z } from 'zod';
import type { Catalog, CatalogResource } from '../core/catalog.ts';
import { pause } from '../core/pause.ts';
import { textResult } from '../core/toolContext.ts';
import { defineTool, type ToolDefinition } from '../core/toolTable.ts';

const VIEW_TYPE = 'text/html;profile=mcp-app';

export const viewUri = (name: string): string => `ui://reprise-target/${name}`;

/** Takes as long as it's told, and gives a result with metadata that only the view needs. */
export const appTool = (
  name: string,
  view: string,
  meta: object = { ui: { resourceUri: viewUri(view) } },
): ToolDefinition =>
  defineTool({
    name,
    title: `Show ${name}`,
    description: 'Shows its result in a view. Sends a progress notification every 100 ms.',
    input: z.object({
      title: z.string().default('Sales'),
      waitMs: z.number().int().min(0).max(60_000).default(0),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    meta: { ...meta },
    run: async ({ title, waitMs }, context) => {
      for (let waited = 0; waited < waitMs; waited += 100) {
        await pause(100, context.signal);
        await context.progress(waited + 100, waitMs, `${waited + 100} of ${waitMs} ms`);
      }
      return {
        content: [{ type: 'text', text: `${title}: 42` }],
        structuredContent: { title, total: 42 },
        _meta: { viewUUID: `view-of-${title}` },
      };
    },
  });

/** Changes something each time that it's called. */
const order = defineTool({
  name: 'order',
  title: 'Order',
  description: 'Orders an item. Each call orders once more.',
  input: z.object({ item: z.string().default('tea') }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  meta: { ui: { visibility: ['model', 'app'] } },
  run: async ({ item }) => textResult(`Ordered ${item}`),
});

const modelOnly = defineTool({
  name: 'model-only',
  title: 'For the model only',
  description: 'An app may not call it.',
  input: z.object({}),
  meta: { ui: { visibility: ['model'] } },
  run: async () => textResult('secret'),
});

export const APP_HELPERS: readonly ToolDefinition[] = [order, modelOnly];

export const view = (name: string, html: string, ui: object = {}): CatalogResource => ({
  name: `view ${name}`,
  uri: viewUri(name),
  mimeType: VIEW_TYPE,
  contentMeta: { ui },
  read: () => ({ text: html }),
});

export const views = (...resources: readonly CatalogResource[]): Catalog => ({
  resources,
  templates: [],
  prompts: [],
});
