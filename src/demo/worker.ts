/** The embedded target: an MCP server in a service worker. */
export {};
declare const self: ServiceWorkerGlobalScope;

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
