/** The timeline as a person finds it, by role and name. */
import type { Locator, Page } from '@playwright/test';

export function timelineOf(page: Page) {
  const region = page.getByRole('region', { name: 'Timeline' });
  return {
    region,
    lanes: region.getByRole('group', { name: 'Lanes' }),
    /** The list of calls, which has the keys of the lanes. */
    calls: region.getByRole('listbox', { name: 'Calls' }),
    rows: region.getByRole('listbox', { name: 'Entries' }).getByRole('option'),
    list: region.getByRole('listbox', { name: 'Entries' }),
    filter: page.getByLabel('Filter entries'),
    entry: region.getByRole('complementary', { name: 'Entry' }),
    selected: region.getByRole('listbox', { name: 'Entries' }).getByRole('option', { selected: true }),
    /** How many entries the list shows; of them only those that can be seen are drawn. */
    count: region.getByText(/entries$|entry$/).first(),
    row: (name: RegExp | string): Locator =>
      region.getByRole('listbox', { name: 'Entries' }).getByRole('option', { name }),
    button: (name: RegExp | string, exact = true): Locator => region.getByRole('button', { name, exact }),
  };
}

/** Every entry instead of the calls. */
export async function showLog(page: Page): Promise<void> {
  const { region } = timelineOf(page);
  await region.getByRole('button', { name: 'Log', exact: true }).click();
  const plumbing = region.getByRole('button', { name: 'Plumbing', exact: true });
  if ((await plumbing.getAttribute('aria-pressed')) === 'false') await plumbing.click();
}

/** A row of the list of calls. */
export const callRow = (page: Page, name: RegExp | string): Locator =>
  timelineOf(page).region.getByRole('listbox', { name: 'Calls' }).getByRole('option', { name });

/** How much time the lanes show, as the list of calls says it. */
export async function shownBy(calls: Locator): Promise<string> {
  const id = await calls.getAttribute('aria-describedby');
  const words = await calls.page().locator(`[id="${id}"]`).textContent();
  return /^Shows .*?\.(?= )/.exec(words ?? '')?.[0] ?? '';
}
