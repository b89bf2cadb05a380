/** Opens the demo; the focus goes to the first argument of its first tool. */
import type { AppView } from '../../state/appView.svelte.ts';
import { focusForm } from '../tools/focusForm.ts';

export async function openDemo(app: AppView, era: 'session' | 'stateless'): Promise<void> {
  await app.openDemo(era);
  focusForm();
}
