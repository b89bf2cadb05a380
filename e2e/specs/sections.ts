/** What the specs of the sections beside the tools do alike. */
import type { Locator, Page } from '@playwright/test';

export async function openSection(page: Page, title: string): Promise<void> {
  await (await sectionButton(page, title)).click();
}

/** Where there is little room, some are in a menu, which is opened. */
export async function sectionButton(page: Page, title: string): Promise<Locator> {
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const button = sections.getByRole('button', { name: new RegExp(`^${title}\\b`) });
  const more = sections.getByRole('button', { name: /^More sections/, expanded: false });
  await sections.getByRole('button', { name: /^Tools/ }).waitFor();
  if ((await button.count()) === 0 && (await more.count()) > 0) await more.click();
  return button;
}

/** All of them: beside a section without a list they have the whole width. */
export async function sectionTitles(page: Page): Promise<readonly string[]> {
  await openSection(page, 'Info');
  const names = page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button')
    .locator('span:first-child');
  return names.allTextContents();
}

export async function pick(page: Page, list: string, name: string): Promise<void> {
  await page
    .getByRole('list', { name: list, exact: true })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
}

export const resource = (page: Page): Locator => page.getByRole('region', { name: 'Resource', exact: true });
