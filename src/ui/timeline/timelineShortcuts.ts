/** The keys of the timeline, as they stand under `?` and in the command palette. */
import type { Shortcut } from '../../state/shortcuts.ts';
import type { TimelineActions } from '../../state/timelineActions.ts';
import { WORDS } from './timelineWords.ts';

const GROUP = 'Log';

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
    one('/', 'Filter entries', door.toFilter),
    one('j', 'Next entry', () => actions.step(1)),
    one('k', 'Previous entry', () => actions.step(-1)),
    one('+', 'Zoom in', () => actions.zoom('in')),
    one('-', 'Zoom out', () => actions.zoom('out')),
    one('f', WORDS.fit, () => actions.fit()),
    one('shift+arrowleft', WORDS.earlier, () => actions.pan('earlier')),
    one('shift+arrowright', WORDS.later, () => actions.pan('later')),
    one('l', 'Follow live', () => actions.follow()),
    one('v', 'Show or hide the lanes', () => actions.toggleLanes()),
    one('z', 'Time from selected entry', () => void actions.setZero()),
    one('shift+z', 'Clock times', () => actions.toggleTimes()),
    one('b', 'Toggle bookmark', () => actions.toggleBookmark()),
    one('n', 'Next bookmark', () => actions.toBookmark(1)),
    one('shift+n', 'Previous bookmark', () => actions.toBookmark(-1)),
    one('p', 'Toggle pin', () => actions.togglePin()),
    one('[', 'Set range start', () => void actions.setRangeEnd('from')),
    one(']', 'Set range end', () => void actions.setRangeEnd('to')),
    one(',', 'Playhead: previous entry', () => actions.stepPlayhead(-1)),
    one('.', 'Playhead: next entry', () => actions.stepPlayhead(1)),
    one('c', 'Compare selected entry', door.compare),
    one('e', 'Export or import', door.share),
    one('escape', 'Clear playhead, range and selection', () => actions.clear()),
  ];
}
