/** The keys of playback. */
import type { Playback } from '../../state/playback/playback.svelte.ts';
import type { Shortcut } from '../../state/shortcuts.ts';
import { WORDS } from './playbackWords.ts';

export function playbackShortcuts(playback: Playback, close: (() => void) | undefined): readonly Shortcut[] {
  const one = (keys: string, title: string, run: () => void): Shortcut => ({
    keys,
    title,
    group: 'Playback',
    run,
  });
  return [
    one('space', 'Play or pause', () => playback.toggle()),
    one('pagedown', 'Play or pause', () => playback.toggle()),
    one('pageup', WORDS.toStart, () => playback.seek(playback.clock.from)),
    one('arrowright', 'Next entry', () => playback.step(1)),
    one('arrowleft', 'Previous entry', () => playback.step(-1)),
    one(']', 'Faster', () => playback.changeSpeed(1)),
    one('[', 'Slower', () => playback.changeSpeed(-1)),
    ...(close ? [one('escape', 'Close playback', close)] : []),
  ];
}
