/** The view of a call (MCP Apps), as the harness looks at it: by the entries of its bridge, and by what it draws. */
import type { Locator } from '@playwright/test';
import type { Entry } from '../contract.ts';
import type { Inspector } from './inspector.ts';

export const RENDERED_MS = 15_000;
const POLL_MS = 100;

export interface ShownApp {
  readonly inspector: Inspector;
  /** The call. */
  readonly id: string;
}

export const appEntries = (inspector: Inspector, id: string): Promise<readonly Entry[]> =>
  inspector.entries(`kind:app call:${id}`);

/** Whether a view of this page load got so far. */
export async function untilApp(
  { inspector, id }: ShownApp,
  passes: (entries: readonly Entry[]) => boolean,
  timeoutMs = RENDERED_MS,
): Promise<boolean> {
  const load = Math.max(0, ...(await inspector.entries('kind:load')).map((entry) => entry.load));
  for (const endsAt = Date.now() + timeoutMs; Date.now() < endsAt;) {
    const entries = (await appEntries(inspector, id)).filter((entry) => entry.load === load);
    if (passes(entries)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

const was = (step: string, method: string) => (entries: readonly Entry[]) =>
  entries.some((entry) => entry.step === step && entry.method === method);
export const isInitialized = was('received', 'ui/notifications/initialized');
export const gotInput = was('sent', 'ui/notifications/tool-input');
export const gotResult = was('sent', 'ui/notifications/tool-result');
export const gotCancelled = was('sent', 'ui/notifications/tool-cancelled');

const bodyOf = ({ inspector, id }: ShownApp): Locator =>
  inspector.page.frameLocator(`iframe[data-call="${id}"]`).frameLocator('iframe').locator('body');

/** Whether there is anything to see. Waits a little: a view draws after it was told. */
export async function isBlank(shown: ShownApp): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    const isEmpty = await bodyOf(shown).evaluate(
      (body: HTMLElement) =>
        body.innerText.trim() === '' &&
        body.querySelector('canvas, svg, img, video, iframe, input, button') === null,
    );
    if (!isEmpty) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
