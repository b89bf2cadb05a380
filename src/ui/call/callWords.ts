/** What became of a call, in words; and what kind of end it was. */
import { assertNever } from '../../base/assertNever.ts';
import { isObject } from '../../base/json.ts';
import { plural, formatNumber } from '../../base/format.ts';
import { errorWords } from './errorWords.ts';
import type { Call } from '../../log/state/call.ts';
import { codeOf } from '../../log/reasons/reason.ts';
import { CHECK_FIRST, reasonText } from '../../log/reasons/reasonText.ts';
import { errorMessageOf } from '../../log/reasons/told.ts';
import { agoWords } from '../parts/agoWords.ts';

export const WORDS = {
  edit: 'Edit the arguments and call again',
  fromServer: 'From the server',
  noCall: 'Results appear here and survive reloads.',
  same: 'The same arguments (A)',
  safe: 'This tool is marked as safe to repeat. Call it again with',
  mayBeTask: 'If the server created a task for this call, the task is in its list.',
  unsafe: 'The tool may already have run, and it isn’t marked as safe to repeat.',
  editHint: 'Edit arguments and call again (Shift+E)',
  rerun: 'Edit & rerun',
  more: 'More for this call',
  mermaid: 'Copy as Mermaid',
  mermaidHint: 'Sequence diagram of this call',
  asTask: 'as a task',
  byApp: 'by the app',
  toggleRaw: 'Toggle raw JSON',
  rawHint: 'Raw JSON (R)',
  sentAgain: 'A browser sends a request again when the connection closes before the response starts.',
  needsInput: 'The tool needs your input. Answer in the inbox.',
  noResult: 'No result yet.',
  background: 'Running in the background. The result will be saved.',
  toolError: 'The tool returned an error:',
  noneMissed: (dropped: string) => `No events were missed · 0 lost · ${dropped}`,
  reloaded: 'Page reloaded during this call',
  looking: 'Looking for missed events…',
} as const;

export type Outcome =
  | { readonly name: 'running' | 'done' }
  | { readonly name: 'tool-error' }
  | { readonly name: 'protocol-error'; readonly sentence: string }
  | { readonly name: 'without-result'; readonly sentence: string };

const RESULT_REMOVED =
  'The log was full, so the result was removed from it. Call the tool again to get a new one.';
const CALL_AGAIN = 'Call the tool again to get a new one.';

export function stateWords(call: Call): string {
  switch (call.name) {
    case 'sending':
      return 'sending';
    case 'open':
      return 'running';
    case 'needs-input':
      return 'needs your input';
    case 'settled':
      return settledWords(call);
    case 'cancelled':
    case 'lost':
    case 'expired':
      return call.name;
    case 'unknown':
      return 'outcome unknown';
    default:
      return assertNever(call);
  }
}

export function outcomeOf(call: Call): Outcome {
  switch (call.name) {
    case 'sending':
    case 'open':
    case 'needs-input':
      return { name: 'running' };
    case 'settled':
      if (call.error)
        return {
          name: 'protocol-error',
          sentence: errorSentence(call, call.error.code, errorMessageOf(call.error, call.reason)),
        };
      if (!call.result && call.resultRemovedAt !== undefined)
        return { name: 'without-result', sentence: CALL_AGAIN };
      if (!call.result && call.isResultRemoved) return { name: 'without-result', sentence: RESULT_REMOVED };
      return { name: isToolError(call.result) ? 'tool-error' : 'done' };
    case 'cancelled':
    case 'lost':
    case 'expired':
    case 'unknown':
      return { name: 'without-result', sentence: sentenceOf(call) };
    default:
      return assertNever(call);
  }
}

/** Below it stands whether the tool is safe to repeat: then there is nothing to check. */
function sentenceOf({ reason, repeatable }: Call): string {
  const sentence = reasonText(reason);
  return repeatable ? sentence.replace(CHECK_FIRST, '') : sentence;
}

/** Which of the three it was that went wrong: the tool, the protocol, or the way there. */
export function failureWords(call: Call, now = Date.now()): string {
  switch (call.name) {
    case 'settled':
      if (!call.result && !call.error && call.resultRemovedAt !== undefined)
        return `Result removed to free space, ${agoWords(call.resultRemovedAt, now)}`;
      if (!call.error) return call.isResultRemoved ? 'Result removed' : 'Tool error';
      if (call.error.code < 0) return `Protocol error ${call.error.code}`;
      return call.error.code === 0 ? 'Not sent' : `HTTP error ${call.error.code}`;
    case 'unknown':
      return isLeftUnknown(call) ? 'Outcome unknown' : 'No response';
    case 'lost':
      return 'Result lost';
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return 'Expired';
    case 'sending':
    case 'open':
    case 'needs-input':
      return stateWords(call);
    default:
      return assertNever(call);
  }
}

/** "24 messages, 9 replayed, 2 duplicates dropped" */
export function countWords({ received, replayed, duplicates, isLate, runs }: Call): string {
  return [
    ...(isLate ? ['arrived late'] : []),
    ...(runs === undefined ? [] : ['seems to have run twice or more']),
    plural(received, 'message'),
    ...(replayed > 0 ? [`${formatNumber(replayed)} replayed`] : []),
    ...(duplicates > 0 ? [`${plural(duplicates, 'duplicate')} dropped`] : []),
  ].join(', ');
}

function settledWords(call: Call): string {
  if (call.error) return call.error.code < 0 ? 'protocol error' : 'rejected';
  return isToolError(call.result) ? 'tool error' : 'done';
}

/** JSON-RPC codes are negative; HTTP statuses are kept as they are; 0 never left the page. */
function errorSentence({ rounds = 0 }: Call, code: number, message: string): string {
  if (code === 0) return `Not sent: ${message}`;
  if (code > 0) return `The server rejected the call (HTTP ${code}): ${message}`;
  const words = errorWords(code);
  return [
    message,
    ...(words === undefined ? [] : [words]),
    ...(rounds > 0 ? ['The saved request state may have expired. Call the tool again.'] : []),
  ].join(' ');
}

/** The page closed before anything could be known of it. */
function isLeftUnknown({ reason }: Call): boolean {
  const code = reason && codeOf(reason);
  return code === 'page-closed' || code === 'no-session';
}

function isToolError(result: object | undefined): boolean {
  return isObject(result) && result['isError'] === true;
}
