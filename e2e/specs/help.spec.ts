// The documentation inside the app.
import { expect } from '@playwright/test';
import { test } from './inspector.ts';

test('Help shows the docs, and its links lead to their pages and headings', async ({ page }) => {
  await page.goto('./');
  await page.evaluate(() => window.reprise.ready);
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Shortcuts' }).getByRole('button', { name: 'Open Help' }).click();
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help.getByRole('heading', { name: 'Documentation' })).toBeVisible();

  await help.getByRole('button', { name: 'Console API', exact: true }).click();
  await expect(help.getByRole('heading', { name: 'Console API' })).toBeInViewport();
  // A link to a heading of another page.
  await help.getByRole('button', { name: 'timeline' }).click();
  await expect(help.getByRole('heading', { name: 'Read the timeline' })).toBeInViewport();

  await page.keyboard.press('Escape');
  // The keys are the page's again once the dialog is gone, which is a moment after it's hidden.
  await expect(page.locator('dialog')).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await expect(help.getByRole('heading', { name: 'Documentation' })).toBeVisible();
});
