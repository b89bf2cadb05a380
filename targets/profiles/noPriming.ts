/**
 * Names no position before the first message, as servers did before 2025-11-25 asked for a priming event
 * (2025-11-25, "Sending Messages to the Server", 6; SEP-1699). A page that leaves before it has nothing to resume from.
 */
import { isPrimingFrame, pipeFrames } from '../core/sse.ts';
import type { Profile } from './profile.ts';

export const noPriming: Profile = {
  name: 'no-priming',
  summary: 'sends the first event ID with the first message (blind window before it)',
  options: () => ({
    shape: (response) =>
      pipeFrames(response, { decide: (frame) => (isPrimingFrame(frame) ? 'drop' : 'pass') }),
  }),
};
