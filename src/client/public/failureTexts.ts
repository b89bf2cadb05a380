/** The sentences about a failed connection, loaded when there is one. */
import { reasonText } from '../../log/reasonText.ts';
import { fixText } from '../../log/stateText.ts';
import type { FailureTexts } from './publicState.ts';

export const FAILURE_TEXTS: FailureTexts = { why: reasonText, fix: fixText };
