/** The keys of presentation mode. A presenter's remote sends Page Down and Page Up. */
import type { Shortcut } from '../../state/shortcuts.ts';
import { WORDS } from './stageWords.ts';

export interface StageDoor {
  readonly next: () => void;
  readonly back: () => void;
  readonly walk: () => void;
  readonly notes: () => void;
  readonly reload: () => void;
}

export function stageShortcuts(door: StageDoor): readonly Shortcut[] {
  const one = (keys: string, title: string, run: () => void): Shortcut => ({
    keys,
    title,
    group: 'Presentation',
    run,
  });
  return [
    one('space', 'Next step', door.next),
    one('pagedown', 'Next step', door.next),
    one('pageup', 'Previous caption', door.back),
    one('w', 'Start or stop the guided demo', door.walk),
    one('m', 'Toggle speaker notes', door.notes),
    one('r', WORDS.reloadIn, door.reload),
  ];
}
