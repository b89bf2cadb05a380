/** The tools that the public conformance suite looks for, as its scenarios describe them. */
import type { CallToolResult, ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { pause } from '../core/pause.ts';
import {
  formRequest,
  sampledText,
  samplingRequest,
  textResult,
  toolError,
  type ToolContext,
} from '../core/toolContext.ts';
import { defineTool, type ToolDefinition } from '../core/toolTable.ts';
import { RED_PIXEL_PNG, SILENT_WAV } from './media.ts';

const STEP_MS = 50;
const nothing = z.object({});

const returns = (name: string, content: CallToolResult['content']): ToolDefinition =>
  defineTool({
    name,
    title: name,
    description: 'Returns a fixed result.',
    input: nothing,
    run: async () => ({ content }),
  });

const image = { type: 'image', data: RED_PIXEL_PNG, mimeType: 'image/png' } as const;

const contentTools = [
  returns('test_simple_text', [{ type: 'text', text: 'This is a simple text response for testing.' }]),
  returns('test_image_content', [image]),
  returns('test_audio_content', [{ type: 'audio', data: SILENT_WAV, mimeType: 'audio/wav' }]),
  returns('test_embedded_resource', [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ]),
  returns('test_multiple_content_types', [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      },
    },
  ]),
];

const withLogging = defineTool({
  name: 'test_tool_with_logging',
  title: 'Logging',
  description: 'Sends three log messages.',
  input: nothing,
  run: async (_args, context) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.log('conformance', data);
      await pause(STEP_MS, context.signal);
    }
    return textResult('Three messages were logged.');
  },
});

const withProgress = defineTool({
  name: 'test_tool_with_progress',
  title: 'Progress',
  description: 'Reports progress three times.',
  input: nothing,
  run: async (_args, context) => {
    for (const progress of [0, 50, 100]) {
      await context.progress(progress, 100, `${progress} of 100`);
      await pause(STEP_MS, context.signal);
    }
    return textResult('Progress was reported.');
  },
});

const errorHandling = defineTool({
  name: 'test_error_handling',
  title: 'Error',
  description: 'Always fails.',
  input: nothing,
  run: async () => toolError('This tool intentionally returns an error for testing'),
});

const sampling = defineTool({
  name: 'test_sampling',
  title: 'Sampling',
  description: 'Asks the client for a completion.',
  input: z.object({ prompt: z.string() }),
  run: async ({ prompt }, context) => {
    const { completion } = await context.ask({ completion: samplingRequest(prompt, 100) });
    return textResult(`LLM response: ${sampledText(completion)}`);
  },
});

type Form = ElicitRequestFormParams['requestedSchema'];

async function elicit(context: ToolContext, message: string, schema: Form): Promise<CallToolResult> {
  const { form } = await context.ask({ form: formRequest(message, schema) });
  return textResult(
    `Elicitation completed: action=${String(form['action'])}, content=${JSON.stringify(form['content'] ?? {})}`,
  );
}

const elicitation = defineTool({
  name: 'test_elicitation',
  title: 'Elicitation',
  description: 'Asks the user for a name and an email.',
  input: z.object({ message: z.string() }),
  run: ({ message }, context) =>
    elicit(context, message, {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    }),
});

const elicitationDefaults = defineTool({
  name: 'test_elicitation_sep1034_defaults',
  title: 'Elicitation with defaults',
  description: 'Asks with a default for each primitive type.',
  input: nothing,
  run: (_args, context) =>
    elicit(context, 'Please check these values', {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    }),
});

const three = (value: string, title: string) =>
  ['First', 'Second', 'Third'].map((nth, at) => ({ const: `${value}${at + 1}`, title: `${nth} ${title}` }));

const elicitationEnums = defineTool({
  name: 'test_elicitation_sep1330_enums',
  title: 'Elicitation with choices',
  description: 'Asks with each kind of choice.',
  input: nothing,
  run: (_args, context) =>
    elicit(context, 'Please choose', {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: three('value', 'Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: three('value', 'Choice') } },
      },
    }),
});

const reconnection = defineTool({
  name: 'test_reconnection',
  title: 'Reconnection',
  description: 'Closes its stream during the call. The result is sent when the client resumes.',
  input: nothing,
  run: async (_args, context) => {
    context.closeStream?.();
    await pause(STEP_MS, context.signal);
    return textResult('The client resumed the stream.');
  },
});

/** SEP-1613 and SEP-2106: keywords of JSON Schema 2020-12 must come through unchanged. */
const jsonSchema: ToolDefinition = {
  tool: {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  run: async (args) => textResult(JSON.stringify(args)),
};

export const CONFORMANCE_TOOLS: readonly ToolDefinition[] = [
  ...contentTools,
  withLogging,
  withProgress,
  errorHandling,
  sampling,
  elicitation,
  elicitationDefaults,
  elicitationEnums,
  reconnection,
  jsonSchema,
];
