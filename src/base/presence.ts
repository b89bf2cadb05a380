/**
 * When a page is left, each of its open requests fails, and the page has time to see that: in Chromium after `pagehide`,
 * in Firefox and WebKit right after `beforeunload`. It would take the server for gone.
 */
import { Gate } from './gate.ts';

export interface Presence {
  /** Resolves while the page is here: what it does after `pagehide` is not to be kept. */
  readonly whenHere: () => Promise<void>;
  /** Resolves while the page is not about to be left: a failure that comes after `beforeunload` may be its own end. */
  readonly whenStaying: () => Promise<void>;
  /** Aborted as soon as the page is about to be left. */
  readonly untilLeaving: () => AbortSignal;
}

/** Without a `pagehide` in this time it was a download, or the user stays. */
const MAY_LEAVE_MS = 3000;

export function watchPresence(page: EventTarget): Presence {
  const here = new Gate();
  const staying = new Gate();
  let leaving = new AbortController();
  const leave = (): void => {
    staying.close();
    leaving.abort();
  };
  const stay = (): void => {
    staying.open();
    leaving = new AbortController();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasLeft = false;
  page.addEventListener('beforeunload', () => {
    leave();
    clearTimeout(timer);
    timer = setTimeout(stay, MAY_LEAVE_MS);
  });
  page.addEventListener('pagehide', () => {
    clearTimeout(timer);
    wasLeft = true;
    leave();
    here.close();
  });
  // Out of the back/forward cache the page goes on from where it was. The first one is the end of its loading.
  page.addEventListener('pageshow', () => {
    if (!wasLeft) return;
    wasLeft = false;
    stay();
    here.open();
  });
  return {
    whenHere: () => here.passed,
    whenStaying: () => staying.passed,
    untilLeaving: () => leaving.signal,
  };
}
