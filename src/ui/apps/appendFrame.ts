/** Makes the frame of a view. Moving a frame in the page would load it again, so Svelte has no part in it. */
import type { SandboxPlace } from '../../apps/sandboxPlace.ts';
import { visible } from '../../base/visible.ts';

interface Framed {
  readonly id: string;
  readonly tool: string;
}

export function appendFrame(
  holder: HTMLElement,
  { attribute }: SandboxPlace,
  allow: string,
  { id, tool }: Framed,
): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', attribute);
  if (allow !== '') frame.setAttribute('allow', allow);
  frame.title = `App: ${visible(tool)}`;
  frame.dataset['call'] = id;
  holder.append(frame);
  return frame;
}
