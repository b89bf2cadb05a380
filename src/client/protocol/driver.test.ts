import type { Tool } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { Round } from '../../log/state/callContinuations.ts';
import { SessionDriver } from './sessionDriver.ts';
import { StatelessDriver, TASKS_EXTENSION } from './statelessDriver.ts';

const call = { callId: 'c', wireId: 'c', tool: 't', args: { region: 'eu' } };
const tool = (more: Partial<Tool> = {}): Tool => ({ name: 't', inputSchema: { type: 'object' }, ...more });
const facts = {
  protocolVersion: '2026-07-28',
  clientInfo: { name: 'reprise', version: '1' },
  capabilities: { sampling: {} },
};
const round: Round = {
  callId: 'c',
  number: 1,
  requestState: ' {"x":1}\n',
  keys: ['k'],
  answers: { k: { action: 'accept' } },
  isSent: true,
};

describe('requests to a session server', () => {
  it('carry nothing of 2026-07-28', () => {
    const requests = new SessionDriver({});
    expect(requests.callParams(call, tool())).toEqual({
      params: { name: 't', arguments: { region: 'eu' }, _meta: { progressToken: 'c' } },
      headers: {},
    });
    expect(requests.params({ a: 1 })).toEqual({ a: 1 });
  });

  it.each([
    ['required', true],
    ['optional', true],
    ['forbidden', false],
    [undefined, false],
  ] as const)('become a task where the tool says %s: %s', (taskSupport, isTask) => {
    const requests = new SessionDriver({ tasks: { requests: { tools: { call: {} } } } });
    const { params } = requests.callParams(call, tool(taskSupport && { execution: { taskSupport } }));
    expect('task' in params).toBe(isTask);
  });

  it('never become a task on a server that has none', () => {
    const { params } = new SessionDriver({}).callParams(
      call,
      tool({ execution: { taskSupport: 'required' } }),
    );
    expect('task' in params).toBe(false);
  });
});

describe('requests to a stateless server', () => {
  const requests = new StatelessDriver({ extensions: { [TASKS_EXTENSION]: {} } }, () => ({
    ...facts,
    logLevel: 'info',
  }));

  it('say who asks, in which revision, what it can do, and which messages it wants', () => {
    expect(requests.params({ a: 1 })).toEqual({
      a: 1,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': facts.clientInfo,
        'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
        'io.modelcontextprotocol/logLevel': 'info',
      },
    });
  });

  it('mirror the marked parameters of a tool into headers', () => {
    const marked = tool({
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    });
    expect(requests.callParams(call, marked).headers).toEqual({ 'Mcp-Param-Region': 'eu' });
  });

  it('carry answers and state in the retry alone, and the state as it came', () => {
    const first = requests.callParams(call, tool()).params;
    expect('requestState' in first || 'inputResponses' in first).toBe(false);
    const retry = requests.callParams({ ...call, wireId: 'c.round.1', round }, tool()).params;
    expect(retry['requestState']).toBe(' {"x":1}\n');
    expect(retry['inputResponses']).toEqual({ k: { action: 'accept' } });
  });

  it.each([
    ['prompts/get', { name: 't', arguments: { region: 'eu' } }],
    ['resources/read', { uri: 't' }],
  ] as const)('word %s as the standard does, in every round, and mirror nothing', (method, subject) => {
    const marked = tool({
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    });
    const { params, headers } = requests.callParams({ ...call, method, round }, marked);
    expect(params).toMatchObject({ ...subject, requestState: ' {"x":1}\n' });
    expect('uri' in params && 'name' in params).toBe(false);
    expect(headers).toEqual({});
  });

  it('leave the state out where the server gave none', () => {
    const { requestState: _, ...bare } = round;
    expect('requestState' in requests.callParams({ ...call, round: bare }, tool()).params).toBe(false);
  });
});
