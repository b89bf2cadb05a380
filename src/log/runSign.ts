/** What shows that a tool has run twice: browsers send a POST again whose connection ends before the response begins. */

export type RunSign =
  /** MCP 2025-11-25, Progress: the value must increase with each notification. */
  'progress-went-back' | 'progress-doubled' | 'second-response';

export const RAN_TWICE = 'This tool seems to have run twice.';
