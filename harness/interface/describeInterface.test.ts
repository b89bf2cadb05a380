import { describe, expect, it } from 'vitest';
import { describe as describeReport } from '../report/text.ts';
import { unreachedReport } from '../verify.ts';
import { describeInterface } from './describeInterface.ts';

describe('the notes of a report', () => {
  const inputSchema = { type: 'object', properties: { ids: { type: 'array' } } };

  it('have the size of the tool list, what is deprecated, and what clients reject', () => {
    const found = describeInterface([{ name: 'sum', inputSchema }], { tools: {}, logging: {} });
    expect(found.toolList).toEqual({ tools: 1, bytes: 84, estimatedTokens: 21 });
    expect(found.notes?.map(({ kind }) => kind)).toEqual(['deprecated', 'schema']);
  });

  it('are advice in the text of the report', () => {
    const { incomplete: _, ...report } = unreachedReport('http://localhost/mcp', 1, '');
    const text = describeReport({ ...report, ...describeInterface([{ name: 'sum', inputSchema }], {}) });
    expect(text).toContain('Tool list: 1 tool, 84 B, about 21 tokens.');
    expect(text).toContain('  Advice: "sum" has an array without items in the input schema.');
    expect(text).toContain('[microsoft/vscode#246119]');
  });

  it('are none for a plain server', () => {
    expect(describeInterface([{ name: 'sum', inputSchema: { type: 'object' } }], {})).toEqual({
      toolList: { tools: 1, bytes: 46, estimatedTokens: 12 },
    });
  });
});
