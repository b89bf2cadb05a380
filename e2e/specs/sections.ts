/** What the specs of the sections beside the tools do alike. */
import type { Locator, Page } from '@playwright/test';

export async function openSection(page: Page, title: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: new RegExp(`^${title}\\b`) })
    .click();
}

export async function pick(page: Page, list: string, name: string): Promise<void> {
  await page
    .getByRole('list', { name: list, exact: true })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
}

export const resource = (page: Page): Locator => page.getByRole('region', { name: 'Resource', exact: true });
