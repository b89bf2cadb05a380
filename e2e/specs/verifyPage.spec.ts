/** `verify-page`: a page gets the letter that its wire says, and the exit code that CI needs. */
import { expect, test } from '@playwright/test';
import type { PageScript } from '../../harness/playwright/index.ts';
import { verifyPage } from '../../harness/verifyPage/verifyPage.ts';
import { startFakePage } from './fakePage.ts';

const scriptFor = (fault: string): PageScript => ({
  start: async (page, { pageUrl, serverUrl }) => {
    await page.goto(`${pageUrl}?fault=${fault}&server=${encodeURIComponent(serverUrl)}`);
    await page.getByRole('button', { name: 'Run report' }).click();
  },
  done: (page) => page.getByText('Report ready').waitFor(),
  lost: (page) => page.getByText('Report lost').waitFor(),
  tools: { report: { seconds: 2, messages: 16 } },
});

const ROWS = [
  ['', 'R', 'reload-safe'],
  ['initializes-again', 'N', 'loses calls'],
  ['never-resumes', 'L', 'loses calls'],
  ['calls-again', 'X', 'runs calls twice'],
  ['drops-version', 'R', 'resumes, with issues'],
] as const;

for (const [fault, letter, grade] of ROWS) {
  const what = fault === '' ? 'does everything right' : fault.replaceAll('-', ' ');
  test(`a page that ${what} gets ${letter}, ${grade}`, { tag: '@long' }, async ({ browser }) => {
    const app = await startFakePage('report');
    try {
      const report = await verifyPage(
        {
          pageUrl: app.url,
          script: scriptFor(fault),
          seed: 1,
          timeoutMs: 3000,
          workers: 1,
          browser: 'Chromium',
          targets: ['resumable'],
          scenarios: ['reload-mid-call'],
          newContext: () => browser.newContext(),
        },
        () => undefined,
      );
      expect([report.letter, report.grade], JSON.stringify(report.results, undefined, 1)).toEqual([
        letter,
        grade,
      ]);
      // The server has counted for itself.
      const [result] = report.results;
      expect(result?.counted?.calls).toBe(letter === 'X' ? 2 : 1);
      expect(result?.counted?.initializes).toBe(letter === 'N' ? 2 : 1);
    } finally {
      await app.close();
    }
  });
}
