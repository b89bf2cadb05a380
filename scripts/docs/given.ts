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
declare const reprise: import('../src/client/reprise.ts').Reprise;
`,
  'e2e/targets/README.md': `
import { startTarget } from '../e2e/targets/startTarget.ts';
`,
};
