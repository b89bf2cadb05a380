import { expect, test } from '@playwright/test';

test('serves the built site', async ({ page }) => {
  await page.goto('./');
  await expect(page).toHaveTitle(/Reprise/);
});
