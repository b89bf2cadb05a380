/**
 * Never closes a resumed stream, not even after the response (the Python SDK, SDK 1.x after the tool has ended,
 * Cloudflare's agents; 2025-11-25: after the response the server SHOULD terminate the stream).
 */
import { pipeFrames } from '../core/sse.ts';
import type { Profile } from './profile.ts';

export const staysOpen: Profile = {
  name: 'stays-open',
  summary: "doesn't close a resumed stream after the response",
  options: () => ({
    endsResumedStreams: false,
    shape: (response, kind) => (kind === 'resumed' ? pipeFrames(response, { holdOpen: true }) : response),
  }),
};
