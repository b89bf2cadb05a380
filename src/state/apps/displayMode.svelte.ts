/** How a view is shown. The page has three ways, and a view may have fewer (SEP-1865, "Display Modes"). */
import type { McpUiDisplayMode } from '@modelcontextprotocol/ext-apps/app-bridge';

const MODES: readonly McpUiDisplayMode[] = ['inline', 'fullscreen', 'pip'];

export class DisplayMode {
  #current = $state<McpUiDisplayMode>('inline');
  #common = $state.raw<readonly McpUiDisplayMode[]>(['inline']);

  get current(): McpUiDisplayMode {
    return this.#current;
  }

  /** The modes that the view and the page both have. */
  get common(): readonly McpUiDisplayMode[] {
    return this.#common;
  }

  get ofPage(): McpUiDisplayMode[] {
    return [...MODES];
  }

  /** @param declared by the view; a view that declares none has all */
  agree(declared: readonly McpUiDisplayMode[] | undefined): void {
    this.#common = MODES.filter((mode) => mode === 'inline' || (declared?.includes(mode) ?? true));
  }

  set(mode: McpUiDisplayMode): void {
    if (this.#common.includes(mode)) this.#current = mode;
  }
}
