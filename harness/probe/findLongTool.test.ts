import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { pause } from '../../targets/core/pause.ts';
import { textResult, toolError } from '../../targets/core/toolContext.ts';
import { defineTool, type ToolDefinition } from '../../targets/core/toolTable.ts';
import { startTarget } from '../../targets/startTarget.ts';
import type { Tool } from '../contract.ts';
import { findLongTool } from './findLongTool.ts';
import { openRaw } from './reach.ts';

interface Made {
  readonly afterMs: number;
  readonly isError?: true;
  readonly isReadOnly?: boolean;
  readonly input?: z.ZodObject;
}

async function withTools(made: Readonly<Record<string, Made>>) {
  const called: string[] = [];
  const define = ([name, { afterMs, isError, isReadOnly = true, input = z.object({}) }]: [
    string,
    Made,
  ]): ToolDefinition =>
    defineTool({
      name,
      title: name,
      description: name,
      input,
      annotations: { readOnlyHint: isReadOnly },
      run: async (_args, { signal }) => {
        called.push(name);
        await pause(afterMs, signal);
        return isError ? toolError('no') : textResult('done');
      },
    });
  const extraTools = Object.entries(made).map(define);
  const target = await startTarget('resumable', { overrides: { extraTools } });
  onTestFinished(() => target.close());
  const found = await findLongTool(
    () => openRaw(target.url, {}),
    extraTools.map(({ tool }) => tool as Tool),
  );
  return { found, called };
}

describe('findLongTool', () => {
  it('finds a read-only tool that still runs after two seconds, and tries no more', async () => {
    const { found, called } = await withTools({
      quick: { afterMs: 1 },
      crawl: { afterMs: 60_000 },
      later: { afterMs: 60_000 },
    });
    expect(found).toEqual({ name: 'crawl', args: {}, why: 'read-only, and took more than 2 s when tried' });
    expect(called).toEqual(['quick', 'crawl']);
  });

  it('calls nothing that may change something, or that needs arguments', async () => {
    const { found, called } = await withTools({
      erase: { afterMs: 60_000, isReadOnly: false },
      search: { afterMs: 60_000, input: z.object({ term: z.string() }) },
    });
    expect(found).toBeUndefined();
    expect(called).toEqual([]);
  });

  it('takes none that ends in an error', async () => {
    const { found, called } = await withTools({ broken: { afterMs: 1200, isError: true } });
    expect(found).toBeUndefined();
    expect(called).toEqual(['broken']);
  });
});
