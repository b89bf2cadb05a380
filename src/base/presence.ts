/**
 * Once a page is left, each of its open requests fails, and the page has time to see that (Chromium: after `pagehide`,
 * before `unload`). It would hold the server to be gone. So who keeps something asks first whether the page is still here;
 * out of the back/forward cache it comes back, and goes on from there.
 */
export function watchPresence(page: EventTarget): () => Promise<void> {
  let here = Promise.resolve();
  page.addEventListener('pagehide', () => {
    here = new Promise((resolve) => {
      page.addEventListener('pageshow', () => resolve(), { once: true });
    });
  });
  return () => here;
}
