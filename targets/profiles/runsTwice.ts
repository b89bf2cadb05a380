/**
 * Runs a request again whose ID and body it already has, as the SDK's servers do: both runs send on the stream of the
 * second POST, and the first result ends it. Browsers repeat a POST whose connection ends before the response's head.
 */
import type { Profile } from './profile.ts';

export const runsTwice: Profile = {
  name: 'runs-twice',
  summary: 'runs a repeated request again; both runs share one stream',
  options: () => ({ runsRepeats: true }),
};
