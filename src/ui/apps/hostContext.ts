/** What a view is told about the page around it (SEP-1865, "Host Context"). */
import type { Tool } from '@modelcontextprotocol/client';
import type { McpUiDisplayMode, McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import { styleVariables } from '../../apps/styleVariables.ts';

/** A view that wants to be higher scrolls. */
export const MAX_HEIGHT = 900;

export function hostContextOf(
  tool: Tool | undefined,
  callId: string,
  mode: McpUiDisplayMode,
  holder: HTMLElement,
): McpUiHostContext {
  const style = getComputedStyle(document.documentElement);
  const { clientWidth: width, clientHeight: height } = holder;
  const variables = styleVariables((name) => style.getPropertyValue(name).trim());
  return {
    ...(tool && { toolInfo: { id: callId, tool } }),
    theme: isDark() ? 'dark' : 'light',
    styles: { variables: variables as never },
    containerDimensions: mode === 'inline' ? { width, maxHeight: MAX_HEIGHT } : { width, height },
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: `reprise/${__REPRISE_VERSION__}`,
    platform: 'web',
    deviceCapabilities: {
      touch: matchMedia('(any-pointer: coarse)').matches,
      hover: matchMedia('(any-hover: hover)').matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}

const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && systemDark().matches);
}

/** @returns the undo */
export function watchTheme(changed: () => void): () => void {
  const system = systemDark();
  system.addEventListener('change', changed);
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    chosen.disconnect();
  };
}
