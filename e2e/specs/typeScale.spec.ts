// One type scale: every text of every view has one of four sizes. The headline of the start page is larger; presentation mode grows with the screen.
import { expect, type Page } from '@playwright/test';
import { targetViews, VIEWS } from '../screenshots/views.ts';
import { test } from './inspector.ts';

const SCALE = ['12px', '13px', '15px', '18px'];

test.use({ serviceWorkers: 'allow', viewport: { width: 1280, height: 720 } });

/** Texts that are seen, with a size that isn't in the scale. */
function offScale(page: Page, allowed: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((sizes) => {
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    return [...document.querySelectorAll('#app *')]
      .filter((element) => hasText(element) && element.checkVisibility())
      .map(
        (element) => [getComputedStyle(element).fontSize, element.textContent?.trim().slice(0, 40)] as const,
      )
      .filter(([size]) => !sizes.includes(size))
      .map(([size, text]) => `${size} ${text}`);
  }, allowed);
}

test('every text of every view has one of four sizes', { tag: '@long' }, async ({ page, target, watch }) => {
  test.slow();
  await watch(page).goto('./');
  const views = [
    ...VIEWS,
    ...targetViews({ skills: (await target('skills')).url, app: (await target('app')).url }),
  ];
  for (const { name, show } of views) {
    await show(page);
    expect(await offScale(page, name === 'start' ? [...SCALE, '30px'] : SCALE), name).toEqual([]);
  }
});
