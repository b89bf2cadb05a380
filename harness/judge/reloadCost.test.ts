import { describe, expect, it } from 'vitest';
import type { Tool } from '../contract.ts';
import type { ScenarioResult, Verdict } from '../report/facts.ts';
import { costOfResponse, costsShownByReloads, sumOfCosts, untestedIn, withAdvice } from './reloadCost.ts';

const response = (result: object) => ({ jsonrpc: '2.0', id: 1, result });

describe('costOfResponse', () => {
  it.each([
    ['kept-as-task', response({ resultType: 'task', taskId: 't' })],
    ['kept-as-question', response({ resultType: 'input_required', inputRequests: {} })],
    ['cancelled', response({ resultType: 'complete', content: [] })],
    ['cancelled', response({ content: [] })],
    ['cancelled', undefined],
    ['not-tested', response({ content: [], isError: true })],
    ['not-tested', { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'No.' } }],
  ])('%s for %o', (cost, message) => {
    expect(costOfResponse('export', message, 10)).toMatchObject({ tool: 'export', cost });
  });

  it('advises to make a task of what takes longer than 2 s, and of nothing else', () => {
    const cancelled = { tool: 'export', cost: 'cancelled' } as const;
    expect(withAdvice({ ...cancelled, durationMs: 2500 }).advice).toBe(
      '"export" takes 2.5 s, and a reload cancels it. Make it a task, so that it survives a reload.',
    );
    expect(withAdvice({ ...cancelled, durationMs: 2000 }).advice).toBeUndefined();
    expect(withAdvice({ tool: 'export', cost: 'kept-as-task', durationMs: 9000 }).advice).toBeUndefined();
    expect(costOfResponse('export', undefined, 3000).advice).toContain('takes more than 3.0 s');
  });
});

describe('costsShownByReloads', () => {
  const tools: Tool[] = [
    { name: 'work', inputSchema: {} },
    { name: 'ask', inputSchema: {} },
  ];
  const context = { tool: { name: 'work', args: {}, why: '' }, tools, control: undefined };
  const shown = (verdicts: Record<string, Verdict>) => {
    const results = Object.entries(verdicts).map(([name, verdict]): ScenarioResult => ({
      name,
      verdict,
      why: '',
    }));
    return costsShownByReloads(results, context);
  };

  it('takes from a reload only what passed', () => {
    expect(shown({ 'reload-cancels': 'pass', 'reload-with-question': 'pass' })).toEqual([
      { tool: 'work', cost: 'cancelled', shownBy: 'reload' },
      { tool: 'ask', cost: 'kept-as-question', shownBy: 'reload' },
    ]);
    expect(shown({ 'reload-with-task': 'pass', 'reload-cancels': 'unsupported' })).toEqual([
      { tool: 'work', cost: 'kept-as-task', shownBy: 'reload' },
    ]);
    expect(shown({ 'reload-with-task': 'fail', 'reload-with-question': 'fail' })).toEqual([]);
  });
});

describe('untestedIn', () => {
  it('names the tools once for each reason', () => {
    const untested = { cost: 'not-tested', why: 'Not read-only.' } as const;
    const costs = [
      { tool: 'a', ...untested },
      { tool: 'b', cost: 'cancelled' } as const,
      { tool: 'c', ...untested },
    ];
    expect(untestedIn(costs)).toEqual([{ why: 'Not read-only.', tools: ['a', 'c'] }]);
  });
});

describe('sumOfCosts', () => {
  it('counts the tools by what becomes of them', () => {
    const costs = (['cancelled', 'cancelled', 'kept-as-task'] as const).map((cost) => ({ tool: '', cost }));
    expect(sumOfCosts(costs)).toBe('Of 3 tools, 2 are cancelled by a reload, 1 is kept as a task.');
  });
});
