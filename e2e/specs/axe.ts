/** What axe finds on a page, serious or critical. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './inspector.ts';

interface Look {
  /** All rules, if none are named. */
  readonly rules?: string[];
  /** A part of the page, by its selector. */
  readonly within?: string;
}

/** As the page is now: colours that are still fading over would be findings, so it is asked for little motion before. */
export async function expectNoFindings(page: Page, view: string, { rules, within }: Look = {}) {
  const axe = new AxeBuilder({ page });
  if (within !== undefined) axe.include(within);
  if (rules) axe.withRules(rules);
  const { violations } = await axe.analyze();
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, view).toEqual([]);
}

/** The main part, in both themes. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Only colours differ in the second theme.
    const rules = colorScheme === 'dark' ? { rules: ['color-contrast'] } : {};
    await expectNoFindings(page, `${what}, ${colorScheme}`, { ...rules, within: 'main' });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}
