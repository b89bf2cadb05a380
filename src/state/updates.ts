/** Offers a new version of the app, and puts it off while a call to the demo is open: the demo lives in the worker. */
import type { Workspace } from '../client/workspace.ts';
import { isOpen } from '../log/call.ts';
import type { Toasts } from './toasts.svelte.ts';

type Servers = { readonly tabs: readonly Pick<Workspace['tabs'][number], 'url' | 'log'>[] };

const LOOK_EVERY_MS = 1000;
/** It stays until somebody has answered. */
const FOR_EVER_MS = 2 ** 31 - 1;

export function offerUpdate(
  toasts: Toasts,
  servers: Servers,
  isDemoUrl: (url: string) => boolean,
  agree: () => void,
): void {
  const isBusy = () =>
    servers.tabs.some(({ url, log }) => isDemoUrl(url) && [...log.head.calls.values()].some(isOpen));
  const update = () => {
    if (!isBusy()) {
      agree();
      return;
    }
    const takeAway = toasts.show(
      { text: 'A call to the demo is open. The new version comes when it is over.' },
      FOR_EVER_MS,
    );
    const timer = setInterval(() => {
      if (isBusy()) return;
      clearInterval(timer);
      takeAway();
      agree();
    }, LOOK_EVERY_MS);
  };
  toasts.show(
    {
      text: 'A new version of Reprise is ready. The page is loaded again, and comes back as it is.',
      action: { label: 'Update', run: update },
    },
    FOR_EVER_MS,
  );
}
