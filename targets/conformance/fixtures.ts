/** What the public conformance suite needs to find in a server, as options for a target. */
import { guardedResource, userText, type Catalog } from '../core/catalog.ts';
import type { TargetOptions } from '../core/options.ts';
import { acceptedForm, formRequest } from '../core/toolContext.ts';
import { RED_PIXEL_PNG } from './media.ts';
import { ROUND_TRIP_TOOLS } from './roundTripTools.ts';
import { CONFORMANCE_TOOLS } from './tools.ts';

/**
 * `test_reconnection` closes its stream, so clients are told when to come back (SEP-1699). The time is short, and enough
 * for a server to notice that the old connection is gone.
 */
const RETRY_MS = 100;

const nothing = () => [];

const catalog: Catalog = {
  resources: [
    {
      name: 'static-text',
      uri: 'test://static-text',
      mimeType: 'text/plain',
      read: () => ({ text: 'This is the content of the static text resource.' }),
    },
    {
      name: 'static-binary',
      uri: 'test://static-binary',
      mimeType: 'image/png',
      read: () => ({ blob: RED_PIXEL_PNG }),
    },
    {
      name: 'watched',
      uri: 'test://watched-resource',
      mimeType: 'text/plain',
      read: () => ({ text: 'Watched.' }),
    },
  ],
  templates: [
    {
      name: 'template',
      uriTemplate: 'test://template/{id}/data',
      variable: 'id',
      mimeType: 'application/json',
      read: (id) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
    },
  ],
  prompts: [
    {
      name: 'test_simple_prompt',
      description: 'A simple prompt.',
      args: {},
      messages: () => [userText('This is a simple prompt for testing.')],
    },
    {
      name: 'test_prompt_with_arguments',
      description: 'A prompt with two arguments.',
      args: {
        arg1: { description: 'First test argument', complete: nothing },
        arg2: { description: 'Second test argument', complete: nothing },
      },
      messages: ({ arg1, arg2 }) => [
        userText(`Prompt with arguments: arg1='${arg1 ?? ''}', arg2='${arg2 ?? ''}'`),
      ],
    },
    {
      name: 'test_prompt_with_embedded_resource',
      description: 'A prompt that holds a resource.',
      args: { resourceUri: { description: 'URI of the resource to embed', complete: nothing } },
      messages: ({ resourceUri: uri = '' }) => {
        const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
        return [
          { role: 'user', content: { type: 'resource', resource } },
          userText('Please process the embedded resource above.'),
        ];
      },
    },
    {
      name: 'test_input_required_result_prompt',
      description: 'A prompt that asks first.',
      args: {},
      messages: async (_args, { ask }) => {
        const { user_context } = await ask({
          user_context: formRequest('What context should the prompt use?', {
            type: 'object',
            properties: { context: { type: 'string' } },
            required: ['context'],
          }),
        });
        return [userText(`Use this context: ${JSON.stringify(acceptedForm(user_context))}`)];
      },
    },
    {
      name: 'test_prompt_with_image',
      description: 'A prompt that holds an image.',
      args: {},
      messages: () => [
        { role: 'user', content: { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' } },
        userText('Please analyze the image above.'),
      ],
    },
  ],
};

/** For a server with sessions. */
export const sessionFixtures: Pick<TargetOptions, 'extraTools' | 'extraCatalog' | 'retryMs'> = {
  extraTools: CONFORMANCE_TOOLS,
  extraCatalog: catalog,
  retryMs: RETRY_MS,
};

/** For a server of 2026-07-28. */
export const statelessFixtures: Pick<TargetOptions, 'extraTools' | 'extraCatalog'> = {
  extraTools: [...CONFORMANCE_TOOLS, ...ROUND_TRIP_TOOLS],
  extraCatalog: { ...catalog, resources: [...catalog.resources, guardedResource] },
};
