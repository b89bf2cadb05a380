/** A reason that is stored beside the log. What has a code has a sentence: an unknown code is shown as it is. */
import { stringField } from '../../base/json.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export function isStoredReason(value: unknown): value is Reason {
  return stringField(value, 'code') !== undefined;
}
