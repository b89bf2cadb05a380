/** The widths of the columns, as somebody made them: the same for every server and section. */
import type { Attachment } from 'svelte/attachments';
import type { ViewPrefs } from '../../state/viewPrefs.svelte.ts';

type Pane = 'list' | 'result';

/** The least widths and the usual ones stand in the styles too: there they hold before anything is measured. */
export const PANE_LIMITS = {
  list: { min: 160, max: 480 },
  result: { min: 280, max: 1600 },
} as const satisfies Record<Pane, { readonly min: number; readonly max: number }>;

/** What has to be left for the pane beside it. */
export const LEFT_FOR_DETAIL = 240;

/** Sets `--list` and `--result` where they were moved; the styles have the usual ones. */
export function paneWidths(layoutPrefs: ViewPrefs): Attachment<HTMLElement> {
  return (element) => {
    for (const pane of Object.keys(PANE_LIMITS)) {
      const width = Number(layoutPrefs.read(pane) ?? NaN);
      if (width > 0) element.style.setProperty(`--${pane}`, `${width}px`);
      else element.style.removeProperty(`--${pane}`);
    }
  };
}

export function writePane(layoutPrefs: ViewPrefs, pane: Pane, width: number | undefined): void {
  layoutPrefs.write(pane, width?.toString());
}
