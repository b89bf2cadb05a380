/** The composition root: the only place that joins concrete classes. */
import { systemClock } from './base/clock.ts';
import { isOpen } from './log/call.ts';
import { createReprise, type Reprise } from './client/reprise.ts';
import { Workspace, type Selection } from './client/workspace.ts';
import { demoUrl, keepAwake, prepareDemo } from './demo/register.ts';
import { FallbackStore } from './storage/fallbackStore.ts';
import { IdbStore } from './storage/idbStore.ts';
import { ConnectionBudget } from './wire/connectionBudget.ts';

declare global {
  interface Window {
    reprise: Reprise;
  }
}

const SELECTED = 'reprise.selected';
const selection: Selection = {
  read: () => sessionStorage.getItem(SELECTED) ?? undefined,
  write: (server) => {
    if (server === undefined) sessionStorage.removeItem(SELECTED);
    else sessionStorage.setItem(SELECTED, server);
  },
};

const budgets = new Map<string, ConnectionBudget>();
const store = new FallbackStore(new IdbStore());

const workspace = await Workspace.open(
  {
    store,
    clock: systemClock,
    fetch: (url, init) => fetch(url, init),
    locks: navigator.locks,
    budgetFor(url) {
      const { origin } = new URL(url);
      const budget = budgets.get(origin) ?? new ConnectionBudget(systemClock);
      budgets.set(origin, budget);
      return budget;
    },
    version: __REPRISE_VERSION__,
    pageOrigin: location.origin,
    isOnline: () => navigator.onLine,
    async prepare(url) {
      if (url === demoUrl()) await prepareDemo();
    },
  },
  selection,
);

window.reprise = createReprise(workspace, __REPRISE_VERSION__, workspace.ready());
void keepAwake; void isOpen;
