/** The views of MCP Apps, as a test finds them. */
import type { FrameLocator, Locator, Page } from '@playwright/test';

export const panel = (page: Page): Locator => page.getByRole('region', { name: 'App', exact: true });

/** The view itself, inside of its sandbox. */
export const viewOf = (page: Page): FrameLocator => panel(page).frameLocator('iframe').frameLocator('iframe');

/** What the view shows under this heading. */
export const shown = (page: Page, id: string): Locator => viewOf(page).locator(`#${id}`);

export const press = (page: Page, name: string): Promise<void> =>
  viewOf(page).getByRole('button', { name, exact: true }).click();
