/** What shows that a tool has run more than once: browsers send a POST again whose connection ends before the response begins. */

import type { ReasonOf } from '../reasons/reason.ts';

export type RunReason =
  /** MCP 2025-11-25, Progress: the value must increase with each notification. */
  | ReasonOf<'progress-went-back'>
  | ReasonOf<'progress-doubled'>
  | ReasonOf<'second-response'>
  | ReasonOf<'recorded'>;

export const RAN_TWICE = 'This tool seems to have run twice or more.';
