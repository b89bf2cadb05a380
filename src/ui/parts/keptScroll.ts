/** Where an element was scrolled to comes back after a reload, as soon as there is enough in it to scroll. */
import type { Attachment } from 'svelte/attachments';
import type { ViewPrefs } from '../../state/viewPrefs.svelte.ts';

/** What has not come by then will not, or somebody has scrolled on. */
const PATIENCE_MS = 10_000;
const REST_MS = 100;

/** `<div {@attach keptScroll(server.place, 'tools')}>` */
export function keptScroll(
  place: Pick<ViewPrefs, 'readUntracked' | 'writeUntracked'>,
  name: string,
): Attachment<HTMLElement> {
  return (element) => {
    const key = `scroll.${name}`;
    const stopRestoring = restore(element, Number(place.readUntracked(key) ?? 0));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const top = Math.round(element.scrollTop);
        place.writeUntracked(key, top === 0 ? undefined : String(top));
      }, REST_MS);
    };
    element.addEventListener('scroll', note, { passive: true });
    return () => {
      stopRestoring();
      clearTimeout(timer);
      element.removeEventListener('scroll', note);
    };
  };
}

/** @returns the undo */
function restore(element: HTMLElement, top: number): () => void {
  if (!(top > 0)) return () => undefined;
  const stop = () => {
    contents.disconnect();
    clearTimeout(timer);
    for (const type of BY_HAND) element.removeEventListener(type, stop);
  };
  const tryIt = () => {
    element.scrollTop = top;
    if (Math.abs(element.scrollTop - top) < 2) stop();
  };
  const contents = new MutationObserver(tryIt);
  contents.observe(element, { childList: true, subtree: true, characterData: true });
  const timer = setTimeout(stop, PATIENCE_MS);
  for (const type of BY_HAND) element.addEventListener(type, stop, { passive: true });
  tryIt();
  return stop;
}

const BY_HAND = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
