/** The keys of the timeline, as they stand under `?` and in the command palette. */
import type { Shortcut } from '../../state/shortcuts.ts';
import type { TimelineActions } from '../../state/timelineActions.ts';

const GROUP = 'Log';
const ZOOM = 1.6;
const PAN = 0.25;

export interface TimelineDoor {
  readonly actions: TimelineActions;
  readonly toFilter: () => void;
  readonly compare: () => void;
  readonly share: () => void;
}

export function timelineShortcuts({ actions, ...door }: TimelineDoor): readonly Shortcut[] {
  const one = (keys: string, title: string, run: () => void): Shortcut => ({
    keys,
    title,
    group: GROUP,
    run,
  });
  return [
    one('/', 'Filter the entries', door.toFilter),
    one('j', 'Next entry', () => actions.step(1)),
    one('k', 'Entry before', () => actions.step(-1)),
    one('+', 'Zoom in', () => actions.zoom(ZOOM)),
    one('-', 'Zoom out', () => actions.zoom(1 / ZOOM)),
    one('f', 'Fit everything, or the range', () => actions.fit()),
    one('shift+arrowleft', 'Move to earlier', () => actions.pan(-PAN)),
    one('shift+arrowright', 'Move to later', () => actions.pan(PAN)),
    one('l', 'Follow the live end', () => actions.follow()),
    one('v', 'Lanes, table, or both', () => actions.nextMode()),
    one('z', 'Count times from the selected entry', () => void actions.setZero()),
    one('b', 'Bookmark the selected entry', () => actions.toggleBookmark()),
    one('n', 'Next bookmark', () => actions.toBookmark(1)),
    one('shift+n', 'Bookmark before', () => actions.toBookmark(-1)),
    one('p', 'Pin the selected entry', () => actions.togglePin()),
    one('[', 'Begin a range at the selected entry', () => void actions.setRangeEnd('from')),
    one(']', 'End the range at the selected entry', () => void actions.setRangeEnd('to')),
    one(',', 'Playhead one entry back', () => actions.stepPlayhead(-1)),
    one('.', 'Playhead one entry on', () => actions.stepPlayhead(1)),
    one('c', 'Compare the selected entry', door.compare),
    one('e', 'Export or import', door.share),
    one('escape', 'Clear the playhead, the range, the selection', () => actions.clear()),
  ];
}
