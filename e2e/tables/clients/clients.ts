/** The clients that `npm run verify:clients` measures, and what each is expected to get. */
import type { PageScript } from '../../../harness/playwright/wireTypes.ts';
import type { Letter } from '../../../harness/verifyPage/cases.ts';

export interface MeasuredClient {
  readonly name: string;
  /** Installed in a temporary folder; none for our own page. */
  readonly packages: readonly string[];
  /** A file in `pages`. */
  readonly entry?: string;
  readonly script: PageScript;
  readonly letter: Letter;
  readonly grade: string;
}

const tools = { report: { seconds: 3, messages: 12 } };

/** The pages in `pages`. */
const PAGE_SCRIPT: PageScript = {
  start: async (page, { pageUrl, serverUrl }) => {
    await page.goto(`${pageUrl}?server=${encodeURIComponent(serverUrl)}`);
    await page.getByRole('button', { name: 'Run report' }).click();
  },
  done: (page) => page.getByText('Report ready').waitFor(),
  tools,
};

/** Our own page, by `window.reprise`. */
const REPRISE_SCRIPT: PageScript = {
  start: async (page, { pageUrl, serverUrl }) => {
    await page.goto(pageUrl);
    await page.evaluate(async (url) => {
      await window.reprise.ready;
      await window.reprise.connect(url);
      await window.reprise.call('report');
    }, serverUrl);
  },
  done: async (page) => {
    await page.waitForFunction(
      () => window.reprise?.calls().some(({ name }) => name === 'settled'),
      undefined,
      { timeout: 0 },
    );
  },
  lost: async (page) => {
    await page.waitForFunction(
      () => window.reprise?.calls().some(({ name }) => name === 'lost' || name === 'unknown'),
      undefined,
      { timeout: 0 },
    );
  },
  tools,
};

const REACT = ['react@19.2.0', 'react-dom@19.2.0'];

export const CLIENTS: readonly MeasuredClient[] = [
  { name: 'Reprise', packages: [], script: REPRISE_SCRIPT, letter: 'R', grade: 'reload-safe' },
  {
    name: 'SDK 1.32.2',
    packages: ['@modelcontextprotocol/sdk@1.32.2'],
    entry: 'sdk.mjs',
    script: PAGE_SCRIPT,
    letter: 'N',
    grade: 'loses calls',
  },
  {
    name: 'SDK 1.32.2 with IDs in localStorage',
    packages: ['@modelcontextprotocol/sdk@1.32.2'],
    entry: 'sdk-storage.mjs',
    script: PAGE_SCRIPT,
    letter: 'L',
    grade: 'loses calls',
  },
  {
    name: 'use-mcp 0.0.21',
    packages: ['use-mcp@0.0.21', ...REACT],
    entry: 'use-mcp.mjs',
    script: PAGE_SCRIPT,
    letter: 'N',
    grade: 'loses calls',
  },
  {
    name: 'mcp-use 1.34.6 (React hook)',
    packages: ['mcp-use@1.34.6', ...REACT],
    entry: 'mcp-use.mjs',
    script: PAGE_SCRIPT,
    letter: 'N',
    grade: 'loses calls',
  },
];
