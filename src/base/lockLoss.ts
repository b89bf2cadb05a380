/**
 * WebKit puts a page that holds locks into its back/forward cache, and takes the locks away: other tabs may have used
 * them meanwhile. Chromium and Firefox don't keep such a page, or let go of it.
 */
interface LocksLike {
  request(name: string, callback: () => Promise<void>): Promise<unknown>;
}

/**
 * Calls `lost` when a page comes back without its locks.
 *
 * @param locks missing on insecure origins
 * @param whenHere resolves while the page is shown
 */
export async function watchLockLoss(
  locks: LocksLike | undefined,
  whenHere: () => Promise<void>,
  lost: () => void,
): Promise<void> {
  try {
    // One of the page's own, which is only there to be lost.
    await locks?.request(`reprise.page/${crypto.randomUUID()}`, () => new Promise(() => undefined));
  } catch (error) {
    // Where locks aren't allowed, it's another error.
    if (!(error instanceof DOMException) || error.name !== 'AbortError') return;
    await whenHere();
    lost();
  }
}
