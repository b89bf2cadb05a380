/**
 * Offers a new version of the app, and puts it off while a call to the demo is open: the demo lives in the worker. A version
 * that fixes a security problem isn't offered but taken, as soon as no call is open.
 */
import type { Workspace } from '../client/inspector/index.ts';
import { isOpen } from '../log/state/call.ts';
import type { KeptText } from './storage/keptText.ts';
import type { Toasts } from './toasts.svelte.ts';

type Servers = { readonly servers: readonly Pick<Workspace['servers'][number], 'url' | 'log'>[] };

interface Page {
  readonly toasts: Toasts;
  readonly workspace: Servers;
  readonly isDemoUrl: (url: string) => boolean;
  /** For this tab alone. */
  readonly kept: KeptText;
}

const LOOK_EVERY_MS = 1000;
/** It stays until somebody has answered. */
const FOR_EVER_MS = 2 ** 31 - 1;
const UPDATED = 'reprise.updated';

export function offerUpdate({ toasts, workspace, isDemoUrl }: Page, agree: () => void): void {
  const isBusy = () => workspace.servers.some((tab) => isDemoUrl(tab.url) && hasOpenCall(tab));
  const update = () => {
    if (!isBusy()) {
      agree();
      return;
    }
    const takeAway = toasts.show(
      { text: 'The update will install when the running demo call finishes.' },
      FOR_EVER_MS,
    );
    whenNot(isBusy, () => {
      takeAway();
      agree();
    });
  };
  toasts.show(
    {
      text: 'Update available. The page reloads; open calls continue.',
      action: { label: 'Update', run: update },
    },
    FOR_EVER_MS,
  );
}

/** Not every server can resume a call, so a reload that the user didn't ask for waits for all of them. */
export function takeUpdate({ toasts, workspace, kept }: Page, agree: () => void): void {
  const isBusy = () => workspace.servers.some(hasOpenCall);
  const update = () => {
    kept.write(UPDATED, 'yes');
    agree();
  };
  if (!isBusy()) {
    update();
    return;
  }
  toasts.show(
    {
      text: 'A security update of Reprise is ready. It loads when all calls have ended.',
      action: { label: 'Update now', run: update },
    },
    FOR_EVER_MS,
  );
  whenNot(isBusy, update);
}

/** After the reload, says why there was one. */
export function sayUpdated({ toasts, kept }: Pick<Page, 'toasts' | 'kept'>): void {
  if (kept.read(UPDATED) === undefined) return;
  kept.write(UPDATED, undefined);
  toasts.show({ text: 'Reprise was updated because of a security fix.' });
}

const hasOpenCall = ({ log }: Servers['servers'][number]) => [...log.state.calls.values()].some(isOpen);

function whenNot(isBusy: () => boolean, then: () => void): void {
  const timer = setInterval(() => {
    if (isBusy()) return;
    clearInterval(timer);
    then();
  }, LOOK_EVERY_MS);
}
