/** The focus follows the work: to the first argument of the tool that was chosen, or to its button. */

/** A dialog that closes gives the focus back first, and the form of a new server is drawn later. */
const TRIES = 40;

export function focusForm(tries = TRIES): void {
  requestAnimationFrame(() => {
    const form = document.getElementById('tool-form');
    const isBusy = document.querySelector('dialog[open]') !== null;
    if ((!form || isBusy) && tries > 0) {
      focusForm(tries - 1);
      return;
    }
    const field = form?.querySelector<HTMLElement>('.arguments :is(input, textarea, select):not(:disabled)');
    (field ?? form?.querySelector<HTMLElement>('button[type=submit]'))?.focus();
  });
}
