/** A key as the shortcuts look at it. */
import type { Pressed } from '../../state/shortcuts.ts';

export function readKey(event: KeyboardEvent): Pressed {
  const { key, ctrlKey, metaKey, altKey, shiftKey, timeStamp } = event;
  return {
    key,
    ctrlKey,
    metaKey,
    altKey,
    shiftKey,
    isTaken: (isTyping(event) && !isQuestionMarkInEmptyUrl(event)) || isDialogOpen(),
    at: timeStamp,
  };
}

/** Buttons and checkboxes take no letters; editors are not always inputs, and some stand in a shadow root. */
function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing) return true;
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_INTO.has(target.type);
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/** The field for the URL has the focus at the start, and no URL begins with `?`: there it still opens the shortcuts. */
function isQuestionMarkInEmptyUrl({ key, target }: KeyboardEvent): boolean {
  return (
    key === '?' && target instanceof HTMLInputElement && target.inputMode === 'url' && target.value === ''
  );
}

const NOT_TYPED_INTO: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'radio',
  'range',
  'submit',
  'reset',
]);

/** It has its own keys. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
