/**
 * Marks characters that reorder or hide text wherever the page draws them. It watches the document instead of each
 * component, so a place that is added later is covered too. Callbacks of an observer run before the next paint.
 */
import { visible } from '../base/visible.ts';

/** Attributes that are read out or shown as a tooltip. */
const TEXTS = ['title', 'aria-label', 'aria-valuetext', 'alt', 'placeholder'];

/** @returns the undo */
export function markUnseen(root: HTMLElement): () => void {
  const observer = new MutationObserver((changes) => {
    for (const { type, target, attributeName, addedNodes } of changes) {
      if (type === 'characterData') markText(target as Text);
      else if (type === 'attributes') markAttribute(target as Element, attributeName ?? '');
      else for (const node of addedNodes) markAll(node);
    }
  });
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: TEXTS,
  });
  return () => observer.disconnect();
}

function markAll(node: Node): void {
  if (node instanceof Text) return markText(node);
  if (!(node instanceof Element)) return;
  for (const element of [node, ...node.querySelectorAll(TEXTS.map((name) => `[${name}]`).join())]) {
    for (const name of TEXTS) markAttribute(element, name);
  }
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) markText(text as Text);
}

function markText(text: Text): void {
  // The text of a textarea is what it is reset to, not what is drawn.
  if (text.parentElement instanceof HTMLTextAreaElement) return;
  const shown = visible(text.data);
  if (shown !== text.data) text.data = shown;
}

function markAttribute(element: Element, name: string): void {
  const text = element.getAttribute(name);
  if (text === null) return;
  const shown = visible(text);
  if (shown !== text) element.setAttribute(name, shown);
}
