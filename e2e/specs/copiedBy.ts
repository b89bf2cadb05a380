import type { Page } from '@playwright/test';
import { expect } from './inspector.ts';

/** What an act puts on the clipboard; that takes a moment, and something else may be on it before. */
export async function copiedBy(page: Page, act: () => Promise<unknown>): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await act();
  await expect.poll(read).not.toBe('');
  return read();
}
