/** What a user does, as functions that run inside the page: thousands of clicks would take too long from outside. */
import type { Reprise } from '../../src/client/console/reprise.ts';

declare global {
  interface Window {
    reprise: Reprise;
    fuzz: FuzzedPage;
  }
}

export interface FuzzedPage {
  /** Durations of the long tasks since they were last asked for, in milliseconds. */
  longTasks: number[];
  /** Clicks each button inside of the element, drawn one after the other; those that match are left alone. */
  clickAll(selector: string, options?: { readonly most?: number; readonly except?: string }): Promise<number>;
  drawn(): Promise<void>;
  within<T>(ms: number, promise: Promise<T>): Promise<T | undefined>;
}

/** Runs before the page's own scripts, at each load. */
export function installFuzz(): void {
  const longTasks: number[] = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const within = <T>(ms: number, promise: Promise<T>): Promise<T | undefined> =>
    Promise.race([
      // What fails in words is not a finding: uncaught errors are.
      promise.catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms)),
    ]);
  const drawn = (): Promise<void> =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const clickAll: FuzzedPage['clickAll'] = async (selector, { most = 40, except = '^$' } = {}) => {
    const isLeftAlone = new RegExp(except, 'i');
    let clicked = 0;
    for (; clicked < most; clicked += 1) {
      // Asked for again each time: a click may draw the buttons anew.
      const button = document.querySelectorAll<HTMLButtonElement>(selector)[clicked];
      if (!button) break;
      const name = `${button.textContent} ${button.ariaLabel ?? ''}`.trim();
      if (!button.disabled && !isLeftAlone.test(name)) button.click();
      await drawn();
    }
    return clicked;
  };
  window.fuzz = { longTasks, clickAll, drawn, within };
}

export async function connect(url: string): Promise<string> {
  const { fuzz, reprise } = window;
  const state = await fuzz.within(3000, reprise.connect(url, { name: 'mutant' }));
  await fuzz.within(1000, reprise.tools());
  return state?.name ?? 'no answer';
}

/** Every odd call, four at a time. @returns how each ended */
export async function callAll(tools: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { fuzz, reprise } = window;
  const waiting = [...tools];
  const ends: Record<string, string> = {};
  const work = async (): Promise<void> => {
    for (let tool = waiting.shift(); tool !== undefined; tool = waiting.shift()) {
      const id = await fuzz.within(2000, reprise.call(tool, {}, { timeoutMs: 4000 }));
      const call = () => reprise.calls().find((one) => one.id === id);
      const end = performance.now() + 1000;
      while (performance.now() < end && call()?.settledAt === undefined) await fuzz.drawn();
      ends[tool] = call()?.name ?? 'not made';
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return ends;
}

/** Each tool's form is opened, its last result is looked at, and it's sent. @returns how many there are */
export async function openTools(): Promise<number> {
  const { fuzz } = window;
  const tools = 'ul[aria-label="Tools"] button';
  for (let k = 0; k < 30 && !document.querySelector(tools); k += 1) await fuzz.drawn();
  for (let i = 0; i < 60; i += 1) {
    const button = document.querySelectorAll<HTMLButtonElement>(tools)[i];
    if (!button) return i;
    button.click();
    await fuzz.drawn();
    for (const other of document.querySelectorAll<HTMLButtonElement>('main form button')) {
      if (/^(call|json|form)\b/i.test(other.textContent.trim()) && !other.disabled) other.click();
      await fuzz.drawn();
    }
    await fuzz.clickAll('section[aria-label="Result"] [role=group] button', { most: 4, except: 'share' });
    await fuzz.clickAll('section[aria-label="Result"] [role=tab]', { most: 6 });
    document.querySelector<HTMLButtonElement>('section[aria-label="Result"] [role=tab]')?.click();
  }
  return 60;
}

/** Each section, and each item of its lists; the tools again at the end. @returns how many items there are */
export async function openSections(): Promise<number> {
  const { fuzz } = window;
  const sections = 'nav[aria-label="Sections"] button';
  let items = 0;
  for (let i = 0; i < 12; i += 1) {
    const section = document.querySelectorAll<HTMLButtonElement>(sections)[i];
    if (!section) break;
    section.click();
    // Its code may have to be fetched.
    const isLoading = () => document.querySelector('main')?.textContent.includes('Loading') ?? true;
    await fuzz.drawn();
    for (let k = 0; k < 40 && isLoading(); k += 1) await fuzz.drawn();
    if (i === 0) continue;
    items += await fuzz.clickAll('main ul button', { most: 30, except: 'log out|remove|forget|ping' });
    await fuzz.clickAll('main form button[type=submit]', { most: 3, except: 'log out|remove|forget' });
  }
  // A reload shows what was shown last, and the tools show the most.
  document.querySelector<HTMLButtonElement>(sections)?.click();
  await fuzz.drawn();
  return items;
}

/** Entries of the timeline, some also as raw text; a search through all of them. @returns how many were opened */
export async function openTimeline(): Promise<number> {
  const { fuzz, reprise } = window;
  const calls = 'section[aria-label="Timeline"] [aria-label="Calls"] [role=option]';
  for (let i = 0; i < 10; i += 1) {
    document.querySelectorAll<HTMLElement>(calls)[i]?.click();
    await fuzz.drawn();
  }
  const views = 'section[aria-label="Timeline"] [aria-label="View"] button';
  document.querySelectorAll<HTMLButtonElement>(views)[1]?.click();
  const rows = 'section[aria-label="Timeline"] [aria-label="Entries"] [role=option]';
  // Its code may have to be fetched.
  for (let k = 0; k < 40 && !document.querySelector(rows); k += 1) await fuzz.drawn();
  let opened = 0;
  for (let i = 0; i < 30; i += 1) {
    const row = document.querySelectorAll<HTMLElement>(rows)[i];
    if (!row) break;
    row.click();
    opened += 1;
    await fuzz.drawn();
    if (i % 5 === 0) await fuzz.clickAll('aside[aria-label="Entry"] [role=group] button', { most: 2 });
  }
  await fuzz.clickAll('section[aria-label="Timeline"] [aria-label="Show"] button', { most: 4 });
  await fuzz.within(2000, reprise.entries('some words tool:call-1 kind:received'));
  await fuzz.within(4000, reprise.exportLog());
  return opened;
}

/** Every open question: answered by its form, then through the API. @returns how many there were */
export async function answerAll(): Promise<number> {
  const { fuzz, reprise } = window;
  const shown = () => document.querySelectorAll('#inbox article, #inbox li').length;
  for (let k = 0; k < 10 && shown() === 0; k += 1) await fuzz.drawn();
  const cards = shown();
  await fuzz.clickAll('#inbox button', { most: 20, except: 'open|notify|inbox|✕' });
  const activity = await fuzz.within(1000, reprise.awaitActivity({ timeoutMs: 0 }));
  const { elicitations = [], samplingRequests = [] } = activity?.pendingClient ?? {};
  for (const { id } of elicitations) await fuzz.within(300, reprise.answer(id, { action: 'decline' }));
  for (const { id } of samplingRequests) await fuzz.within(300, reprise.decline(id));
  await fuzz.drawn();
  return cards;
}

/** The view for talks draws calls and tools in its own way. */
export async function openStage(): Promise<void> {
  const { fuzz } = window;
  const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }));
  press();
  for (let k = 0; k < 6; k += 1) await fuzz.drawn();
  press();
  await fuzz.drawn();
}

export interface PageState {
  readonly isBroken: boolean;
  readonly isDrawn: boolean;
  /** Parts of the page that are shown as raw text, and why. */
  readonly fallbacks: readonly string[];
  readonly longTasks: readonly number[];
}

export function lookAtPage(): PageState {
  const { longTasks } = window.fuzz;
  const fallbacks = [...document.querySelectorAll('[role=alert]')].filter(({ textContent }) =>
    textContent.includes('as raw text'),
  );
  const whyOf = (fallback: Element) =>
    fallback.parentElement?.querySelector('details pre')?.textContent.split('\n').slice(0, 3).join(' ') ?? '';
  return {
    isBroken: /couldn’t start|can’t start/i.test(document.body.textContent.slice(0, 2000)),
    isDrawn: document.querySelector('.app, .stage, main, nav') !== null,
    fallbacks: fallbacks.map((fallback) => `${fallback.textContent} ${whyOf(fallback)}`),
    longTasks: longTasks.splice(0),
  };
}

/** Another server of the list: a call on it ends with its result. */
export async function useGoodServer(url: string): Promise<string> {
  const { reprise } = window;
  const state = await reprise.connect(url, { name: 'good' });
  if (state.name !== 'connected') return JSON.stringify(state);
  const id = await reprise.call('countdown', { ticks: 2, intervalMs: 1 });
  for (let k = 0; k < 200; k += 1) {
    const call = reprise.calls().find((one) => one.id === id);
    if (call?.settledAt !== undefined) return call.name;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return 'the call has no end';
}

/** The dialog that imports is that of a server: any will do. */
export async function openShare(goodUrl: string): Promise<void> {
  const { fuzz, reprise } = window;
  const open = () =>
    [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Export…');
  if (!open()) await fuzz.within(3000, reprise.connect(goodUrl, { name: 'good' }));
  for (let k = 0; k < 20 && !open(); k += 1) await fuzz.drawn();
  open()?.click();
  for (let k = 0; k < 40 && !document.querySelector('dialog input[type=file]'); k += 1) await fuzz.drawn();
}

/** A file that was refused leaves the dialog open. */
export async function closeShare(): Promise<void> {
  const { fuzz } = window;
  const says = () => document.querySelector('dialog [role=alert]')?.textContent ?? '';
  for (let k = 0; k < 60 && document.querySelector('dialog[open]') && says() === ''; k += 1)
    await fuzz.drawn();
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  for (let k = 0; k < 3; k += 1) await fuzz.drawn();
}
