/** Arrow keys in a list of buttons: the list is one stop of the Tab key, and the arrows walk within it. */
import type { Attachment } from 'svelte/attachments';

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  PageDown: (at, last) => Math.min(last, at + 10),
  PageUp: (at) => Math.max(0, at - 10),
  Home: () => 0,
  End: (_at, last) => last,
};

/** For the list element itself. The item that is marked as current is the one that Tab reaches. */
export const rovingList: Attachment<HTMLElement> = (list) => {
  const items = () => [...list.querySelectorAll<HTMLElement>('button')];

  const setStop = (stop: HTMLElement | undefined) => {
    for (const item of items()) item.tabIndex = item === stop ? 0 : -1;
  };
  const reset = () => {
    if (list.contains(document.activeElement)) return;
    const all = items();
    setStop(all.find((item) => item.ariaCurrent === 'true') ?? all[0]);
  };

  const onkeydown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const next = all[step(at, all.length - 1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  const onfocusin = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) setStop(target);
  };

  reset();
  // Lists change while they're shown: servers add tools, and a filter leaves some out.
  const observer = new MutationObserver(reset);
  observer.observe(list, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['aria-current'],
  });
  list.addEventListener('keydown', onkeydown);
  list.addEventListener('focusin', onfocusin);
  return () => {
    observer.disconnect();
    list.removeEventListener('keydown', onkeydown);
    list.removeEventListener('focusin', onfocusin);
  };
};

/** From a filter into the list below it: the arrow goes to its first item, Enter takes that. */
export function intoList(event: KeyboardEvent, list: HTMLElement | undefined): void {
  const first = list?.querySelector<HTMLElement>('button');
  if (!first || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return;
  event.preventDefault();
  if (event.key === 'Enter') first.click();
  else first.focus();
}
