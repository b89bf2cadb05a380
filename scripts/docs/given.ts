/** What the examples of a page take from the reader's own project. It's put before each block of the page. */
export const GIVEN: Readonly<Record<string, string>> = {
  'docs/resume-with-the-sdk.md': `
import type { Client as GivenClient } from '@modelcontextprotocol/client';
declare const client: GivenClient;
declare const params: { name: string; arguments: Record<string, unknown> };
declare const url: URL;
declare const sessionId: string, protocolVersion: string, lastEventId: string;
declare function keep(eventId: string): void;
`,
  'docs/console.md': `
declare const reprise: import('../src/client/console/reprise.ts').Reprise;
`,
  'targets/README.md': `
import { startTarget } from '../targets/startTarget.ts';
`,
};

/** Files that stand beside the blocks: the reader's own fixtures, and what the short blocks take from a test. */
export const BESIDE: Readonly<Record<string, string>> = {
  'docs/axe-test.ts': `
import { expect as baseExpect, test as base } from '@playwright/test';
export const test = base.extend<{ scan: () => Promise<number> }>({ scan: async ({}, use) => use(async () => 0) });
export const expect = baseExpect.extend({
  toBeAccessible: async (_page: import('@playwright/test').Page) => ({ pass: true, message: () => '' }),
});
`,
  'docs/given.d.ts': `
declare const test: typeof import('mcp-reprise/playwright').test;
declare const expect: typeof import('mcp-reprise/playwright').expect;
declare const page: import('@playwright/test').Page;
declare const mcpWire: import('mcp-reprise/playwright').McpWire;
declare const call: import('mcp-reprise/playwright').WireCall;
`,
};
