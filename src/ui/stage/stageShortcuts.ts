/** The keys of the stage. A presenter's remote sends Page Down and Page Up. */
import type { Shortcut } from '../../state/shortcuts.ts';

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
    group: 'Stage',
    run,
  });
  return [
    one('space', 'Next step of the walk', door.next),
    one('pagedown', 'Next step of the walk', door.next),
    one('pageup', 'One step back, without undoing it', door.back),
    one('w', 'Begin or end the walk through the demo', door.walk),
    one('m', 'Speaker’s notes', door.notes),
    one('r', 'Reload in 3…', door.reload),
  ];
}
