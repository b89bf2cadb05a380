/** Records the log of a short story with a target: calls, questions, a reload, a restart, and a second tab. */
import { asText } from '../../src/base/asText.ts';
import type { Entry } from '../../src/log/entry/entry.ts';
import { isOpen } from '../../src/log/state/call.ts';
import type { ServerHandle } from '../../src/client/servers/serverHandle.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { Browser, type BrowserPage } from './browser.ts';

export interface Recording {
  readonly url: string;
  readonly entries: readonly Entry[];
}

/** A server that behaves well needs a fraction of it; what the others do within this time is recorded. */
const PATIENCE_MS = 2500;
/** Without a connection there is no story, and a busy machine may be slow. */
const CONNECT_MS = 20_000;
/** One for each way to call: a session, HTTP+SSE (deprecated), stateless, and the two kinds of tasks. */
const STAYED_AT = new Set(['resumable', 'sse', 'modern', 'tasks-2025', 'modern-tasks']);
const COUNTDOWN = { ticks: 4, intervalMs: 30 };

export async function recordProfile(profile: string): Promise<Recording> {
  const target = await startTarget(profile);
  const browser = new Browser(`recording-${profile}`, target.url);
  let page = await browser.open();
  try {
    await within(page.tab.execute({ name: 'connect', url: target.url, settings: {} }), CONNECT_MS);
    if (page.tab.state.name === 'connected') {
      page = await visit(browser, page);
      if (STAYED_AT.has(profile)) page = await stay(browser, page, () => target.control('restart'));
    }
    const entries: Entry[] = [];
    for await (const some of page.tab.entries()) entries.push(...some);
    return { url: target.url, entries };
  } finally {
    page.die();
    await target.close();
  }
}

/** What each of them shows: a call that a reload interrupts, and a question. @returns the page that is left at the end */
async function visit(browser: Browser, first: BrowserPage): Promise<BrowserPage> {
  const counted = await call(first.tab, 'countdown', COUNTDOWN);
  await until(first.tab, () => (first.tab.log.state.calls.get(counted)?.received ?? 0) >= 2);
  const page = await browser.reload(first);
  await connected(page.tab);
  await ended(page.tab, counted);
  await answer(page.tab, await call(page.tab, 'ask'));
  return page;
}

/** What a call, a session and a tab can come to, with a server that does nothing wrong. */
async function stay(browser: Browser, page: BrowserPage, restart: () => Promise<void>): Promise<BrowserPage> {
  const { tab } = page;
  const cancelled = await call(tab, 'ask');
  await asked(tab, cancelled);
  await within(tab.execute({ name: 'cancel', callId: cancelled }));
  await ended(tab, await call(tab, 'crash'));
  await ended(tab, await call(tab, 'countdown', COUNTDOWN, { timeoutMs: 20, backgroundMs: PATIENCE_MS }));
  await ended(tab, await call(tab, 'ask', {}, { timeoutMs: 20 }));
  await restart();
  await ended(tab, await call(tab, 'countdown', COUNTDOWN));
  await connected(tab);
  const left = await call(tab, 'ask');
  await asked(tab, left);
  // A second tab takes over what the first one leaves.
  const heir = await browser.open();
  await until(heir.tab, () => heir.tab.role === 'follows');
  page.die();
  await connected(heir.tab);
  await answer(heir.tab, left);
  await within(heir.tab.execute({ name: 'disconnect' }));
  return heir;
}

/** What the tab before has recorded doesn't count. */
const connected = (tab: ServerHandle) =>
  until(tab, () => {
    const states = tab.log.tail.filter(
      (entry) => entry.kind === 'state' && entry.load === tab.log.state.load,
    );
    return tab.role === 'leads' && states.length > 0 && tab.state.name === 'connected';
  });

async function call(tab: ServerHandle, tool: string, args = {}, options = {}): Promise<string> {
  return asText(await tab.execute({ name: 'call', tool, args, options }).catch(() => ''));
}

async function answer(tab: ServerHandle, callId: string): Promise<void> {
  await asked(tab, callId);
  for (const { id } of tab.log.state.questions.values()) {
    const result = { action: 'accept', content: { answer: 'Ada' } };
    await within(tab.execute({ name: 'answer', requestId: id, result }));
  }
  await ended(tab, callId);
}

const asked = (tab: ServerHandle, callId: string) =>
  until(tab, () => tab.log.state.calls.get(callId)?.name === 'needs-input' || hasEnded(tab, callId));
const ended = (tab: ServerHandle, callId: string) => until(tab, () => hasEnded(tab, callId));

function hasEnded(tab: ServerHandle, callId: string): boolean {
  const found = tab.log.state.calls.get(callId);
  return found === undefined || !isOpen(found);
}

/** Waits for the log to say so, as long as the story has patience. */
async function until(tab: ServerHandle, holds: () => boolean): Promise<void> {
  if (holds()) return;
  await within(
    new Promise<void>((resolve) => {
      const undo = [tab.log.appended, tab.changed].map((event) =>
        event.on(() => {
          if (!holds()) return;
          for (const stop of undo) stop();
          resolve();
        }),
      );
    }),
  );
}

/** Whatever comes of it. */
async function within(work: Promise<unknown>, timeoutMs = PATIENCE_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
