import { describe, expect, it } from 'vitest';
import { answerTo, chooseQuestionTool } from './chooseQuestionTool.ts';
import { chooseTool, requiredArguments } from './chooseTool.ts';
import type { Tool } from './contract.ts';

const bare = (name: string, properties: object, more: Partial<Tool> & { required?: string[] } = {}): Tool => {
  const { required, ...rest } = more;
  return { name, inputSchema: { type: 'object', properties, ...(required && { required }) }, ...rest };
};
/** One that says of itself that it changes nothing. */
const tool: typeof bare = (name, properties, more) =>
  bare(name, properties, { annotations: { readOnlyHint: true }, ...more });
const number = { type: 'number' };

describe('chooseTool', () => {
  it('knows the long tool of a well-known server', () => {
    const everything = bare('trigger-long-running-operation', { duration: number, steps: number });
    expect(chooseTool([tool('echo', { message: { type: 'string' } }), everything])).toMatchObject({
      name: 'trigger-long-running-operation',
      args: { duration: 4, steps: 10 },
    });
  });

  it('reads the unit of a duration from its name, its description or its default', () => {
    expect(chooseTool([tool('a', { durationMs: number })])?.args).toEqual({ durationMs: 2400 });
    expect(chooseTool([tool('a', { duration: number })])?.args).toEqual({ duration: 2.4 });
    expect(
      chooseTool([tool('a', { delay: { ...number, description: 'in milliseconds' }, count: number })])?.args,
    ).toEqual({
      delay: 200,
      count: 12,
    });
    expect(chooseTool([tool('a', { interval: { ...number, default: 500 } })])?.args).toEqual({
      interval: 2400,
    });
  });

  it('keeps to the limits of the schema, and fills in what is required', () => {
    const properties = {
      steps: { type: 'integer', minimum: 1, maximum: 5 },
      seconds: { type: 'integer', minimum: 3 },
      topic: { type: 'string' },
      mode: { enum: ['fast', 'slow'] },
      note: { type: 'string' },
    };
    expect(chooseTool([tool('a', properties, { required: ['topic', 'mode'] })])?.args).toEqual({
      steps: 5,
      seconds: 3,
      topic: 'reprise',
      mode: 'fast',
    });
  });

  it.each(['batches', 'pages', 'items'])('takes %s for a count', (name) => {
    expect(chooseTool([tool('export', { [name]: number })])?.name).toBe('export');
  });

  it('prefers what lasts to what is only counted', () => {
    const counted = tool('repeat', { count: number });
    const lasting = tool('wait', { seconds: number });
    expect(chooseTool([counted, lasting])?.name).toBe('wait');
  });

  it.each([
    'execute_command',
    'run_shell',
    'exec_sql',
    'reboot_host',
    'shutdown',
    'transfer_funds',
    'post_message',
    'merge_pull_request',
    'git_push',
    'delete_after',
    'wait',
  ])('does not call %s, which is not marked as read-only', (name) => {
    const properties = { delay: number, seconds: number, count: number };
    expect(chooseTool([bare(name, properties)])).toBeUndefined();
    expect(chooseTool([bare(name, properties, { annotations: { destructiveHint: false } })])).toBeUndefined();
    expect(chooseTool([tool(name, properties)])?.name).toBe(name);
  });

  it('does not call a well-known tool that is marked as destructive', () => {
    const properties = { ticks: number, intervalMs: number };
    expect(
      chooseTool([bare('countdown', properties, { annotations: { destructiveHint: true } })]),
    ).toBeUndefined();
  });

  it.each(['retry-delay', 'retryDelayMs', 'max_wait_seconds', 'timeout', 'backoffSeconds'])(
    'learns nothing about how long a tool takes from %s',
    (name) => {
      expect(chooseTool([tool('a', { [name]: number })])).toBeUndefined();
    },
  );

  it('finds nothing where nothing takes a while', () => {
    expect(chooseTool([tool('echo', { message: { type: 'string' } })])).toBeUndefined();
  });
});

describe('requiredArguments', () => {
  it('fills what a call needs, and nothing else', () => {
    const properties = {
      table: { enum: ['users', 'orders'] },
      format: { type: 'string', default: 'csv' },
      seconds: { type: 'integer' },
      note: { type: 'string' },
    };
    expect(requiredArguments(bare('export', properties, { required: ['table', 'format'] }))).toEqual({
      table: 'users',
      format: 'csv',
    });
    expect(requiredArguments(bare('export', properties))).toEqual({});
  });
});

describe('chooseQuestionTool', () => {
  it('does not answer a question whose tool may do harm', () => {
    const asks = { description: 'Asks the user (elicitation), and then deletes the file' };
    expect(chooseQuestionTool([bare('delete_file', {}, asks)])).toBeUndefined();
    expect(chooseQuestionTool([bare('ask', {})])?.name).toBe('ask');
  });
  it('takes a tool that speaks of asking', () => {
    const asks = tool('book', {}, { description: 'Uses elicitation to ask for a date' });
    expect(chooseQuestionTool([tool('echo', {}), asks])?.name).toBe('book');
    expect(chooseQuestionTool([tool('echo', {})])).toBeUndefined();
  });
});

describe('answerTo', () => {
  it('answers an elicitation as its schema asks', () => {
    const requestedSchema = {
      properties: {
        email: { type: 'string', format: 'email' },
        size: { enum: ['s', 'm'] },
        age: { type: 'integer', minimum: 18 },
        hint: { type: 'string' },
      },
      required: ['email', 'size', 'age'],
    };
    expect(answerTo({ id: '1', method: 'elicitation/create', params: { requestedSchema } })).toEqual({
      action: 'accept',
      content: { email: 'reprise@example.com', size: 's', age: 18 },
    });
  });
  it('answers a sampling request with a message', () => {
    expect(answerTo({ id: '1', method: 'sampling/createMessage', params: {} })).toMatchObject({
      role: 'assistant',
    });
  });
});
