/** The sentences about a failed connection, loaded when there is one. */
import { reasonText } from '../../log/reasons/reasonText.ts';
import { fixText } from '../../log/reasons/stateText.ts';
import type { FailureTexts } from './publicState.ts';

export const FAILURE_TEXTS: FailureTexts = { why: reasonText, fix: fixText };
