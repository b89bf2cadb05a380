import { tick } from 'svelte';

/** A form that was refused says where: its first wrong field has the focus, and the next key corrects it. */
export async function focusFirstProblem(form: HTMLElement | undefined): Promise<void> {
  await tick();
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
