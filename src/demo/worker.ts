/**
 * The service worker of the site: it keeps the site for the time without a network, carries refreshes that must outlive
 * their page, and the embedded targets live in it, one with sessions, and one of 2026-07-28. They have no tricks to be faster than a server on the network: a worker that
 * the browser stopped has forgotten its sessions and its tasks, as a server that was restarted has.
 */
import { createTarget } from '../../targets/core/target.ts';
import { MODERN_TOOLS, TASK_TOOLS } from '../../targets/core/tools.ts';
import { RefreshRelay } from '../auth/refreshRelay.ts';
import { IdbStore } from '../storage/idbStore.ts';
import { Vault } from '../storage/vault.ts';
import { AppFiles, type Site } from './appFiles.ts';
import type { DemoMessage } from './messages.ts';
import { answerDemo } from './routes.ts';
import { untilIdle } from './untilIdle.ts';

declare const self: ServiceWorkerGlobalScope;
/** Relative to the site; put in by scripts/vite/serviceWorker.ts. */
declare const __REPRISE_SITE__: Site;

/** A browser stops a worker whose event takes five minutes; end it before that, and the tool has a chance to end. */
const LONGEST_EVENT_MS = 4.5 * 60_000;

/** Slow enough to be read, quick enough to be watched. */
const TASKS = { ttlMs: 10 * 60_000, pollIntervalMs: 500 };
const EXTRA_TOOLS = [...MODERN_TOOLS, ...TASK_TOOLS];

const base = new URL('demo/', self.registration.scope).href;
const targets = {
  mcp: createTarget(() => ({ name: 'demo' })),
  modern: createTarget(() => ({
    name: 'demo-modern',
    era: 'stateless',
    tasks: TASKS,
    extraTools: EXTRA_TOOLS,
  })),
};

/** From then on nothing is begun here: it would hold up the version that comes after this one. */
let isLeaving = false;

/** Another project is served here now. */
let isReplaced = false;

const files = new AppFiles(__REPRISE_SITE__, self.registration.scope);
const relay = new RefreshRelay(new Vault(new IdbStore()), (url, init) => fetch(url, init));

// A new version waits: it must not take the sessions of an open page away before somebody says so.
self.addEventListener('install', (event) => {
  event.waitUntil(files.keep(self.caches));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(files.dropOthers(self.caches));
});

self.addEventListener('fetch', (event) => {
  if (isReplaced) return;
  if (isLeaving && event.request.url.startsWith(base)) {
    event.respondWith(new Response('The demo is restarting for an update.', { status: 503 }));
    return;
  }
  const response = answerDemo(event.request, base, targets);
  if (!response) {
    if (files.has(event.request)) event.respondWith(answerSite(event.request));
    return;
  }
  event.respondWith(response);
  // The page may go away in the middle of a call; the tool goes on.
  event.waitUntil(response.then(() => untilIdle(Object.values(targets), LONGEST_EVENT_MS)));
});

/** Another project on this port gets its pages: the worker removes itself. What the user stored is kept. */
async function answerSite(request: Request): Promise<Response> {
  const foreign = await files.foreignPage(request);
  if (!foreign) return files.answer(request, self.caches);
  isReplaced = true;
  await files.drop(self.caches);
  await self.registration.unregister();
  return foreign;
}

self.addEventListener('message', (event) => {
  switch (event.data as DemoMessage) {
    case 'reprise:claim':
      event.waitUntil(self.clients.claim());
      break;
    case 'reprise:make-room':
      isLeaving = true;
      event.waitUntil(Promise.all(Object.values(targets).map((target) => target.control('drop-streams'))));
      break;
    case 'reprise:take-over':
      event.waitUntil(self.skipWaiting());
      break;
    case 'reprise:required-below':
      event.ports[0]?.postMessage(files.requiredBelow);
      break;
    case 'reprise:carry':
      if (event.ports[0]) event.waitUntil(relay.serve(event.ports[0]));
      break;
    case 'reprise:stay-awake':
      // That the event came is enough: the browser counts idle time from the last one.
      break;
  }
});
