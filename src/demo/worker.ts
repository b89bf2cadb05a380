/**
 * The service worker of the site, in which the embedded target lives. It has no tricks to be faster than a server on
 * the network: a worker that the browser stopped has forgotten its sessions, as a server that was restarted has.
 */
import { createTarget } from '../../e2e/targets/core/target.ts';
import type { DemoMessage } from './messages.ts';
import { answerDemo } from './routes.ts';
import { untilIdle } from './untilIdle.ts';

declare const self: ServiceWorkerGlobalScope;

/** A browser stops a worker whose event takes five minutes; end it before that, and the tool has a chance to end. */
const LONGEST_EVENT_MS = 4.5 * 60_000;

const base = new URL('demo/', self.registration.scope).href;
const target = createTarget(() => ({ name: 'demo' }));

// There is no skipWaiting: a new version must not take the sessions of an open page away.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const response = answerDemo(event.request, base, target);
  if (!response) return;
  event.respondWith(response);
  // The page may go away in the middle of a call; the tool goes on.
  event.waitUntil(response.then(() => untilIdle(target, LONGEST_EVENT_MS)));
});

self.addEventListener('message', (event) => {
  switch (event.data as DemoMessage) {
    case 'reprise:claim':
      event.waitUntil(self.clients.claim());
      break;
    case 'reprise:stay-awake':
      // That the event came is enough: the browser counts idle time from the last one.
      break;
  }
});
