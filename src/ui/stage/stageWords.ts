/** The sentences of presentation mode, without the captions of its steps. */
import type { TickHow } from '../../state/stage/ticks.ts';

export const WORDS = {
  survived: 'Reload survived, no events missed',
  notYet: 'This didn’t happen. Press Space to try again.',
  notConnected: 'Not connected. Press W to start the guided demo.',
  exit: 'Exit presentation mode',
  play: 'Play the log as it happened',
  reloadIn: 'Reload in 3 s',
  reloading: (seconds: number) => `Reloading in ${seconds} s · Cancel`,
} as const;

/** The names of the groups of ticks. What is due has none. */
export const TICK_WORDS: Readonly<Record<TickHow, string>> = {
  before: 'before the reload',
  recovered: 'while no page was loaded',
  live: 'live again',
  due: '',
};
