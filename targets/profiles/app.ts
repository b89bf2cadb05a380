/** MCP Apps (SEP-1865): a tool with a view. `app` behaves; each of the others has a view that does one thing wrong. */
import { APP_HELPERS, appTool, view, views, viewUri } from '../apps/appTools.ts';
import { DASHBOARD } from '../apps/dashboard.ts';
import { FORGETFUL, HOSTILE, NEEDS_STORAGE, ORDERS_AGAIN, SILENT, UNDECLARED } from '../apps/misbehaving.ts';
import type { Profile } from './profile.ts';

const profile = (name: string, summary: string, html: string): Profile => ({
  name,
  summary,
  options: () => ({
    extraTools: [appTool('dashboard', 'main'), ...APP_HELPERS],
    extraCatalog: views(view('main', html)),
  }),
});

export const app: Profile = {
  name: 'app',
  summary: 'a tool with a view (MCP Apps) that survives a reload',
  options: () => ({
    extraTools: [
      appTool('dashboard', 'dashboard'),
      appTool('flat', 'dashboard', { 'ui/resourceUri': viewUri('dashboard') }),
      ...APP_HELPERS,
    ],
    extraCatalog: views(view('dashboard', DASHBOARD)),
  }),
};

export const appCallsAgain = profile(
  'app-calls-again',
  'its view calls a write tool each time it is opened',
  ORDERS_AGAIN,
);
export const appUndeclared = profile(
  'app-undeclared',
  "its view loads from a domain that it doesn't declare",
  UNDECLARED,
);
export const appNeedsStorage = profile(
  'app-needs-storage',
  'its view needs localStorage to start',
  NEEDS_STORAGE,
);
export const appSilent = profile('app-silent', 'its view never sends ui/initialize', SILENT);
export const appForgetful = profile('app-forgetful', 'its view stays empty after a reload', FORGETFUL);
export const appHostile = profile('app-hostile', 'its view attacks the page', HOSTILE);

export const appNoView: Profile = {
  name: 'app-no-view',
  summary: "its tool declares a view that the server doesn't have",
  options: () => ({ extraTools: [appTool('dashboard', 'missing'), ...APP_HELPERS] }),
};
