/** What the codes of the stream machine mean, in words. */
import { bytes } from '../../base/words.ts';
import type { Reason, Trouble } from './stream.ts';

export function troubleWords({ code, status, detail }: Trouble): string {
  switch (code) {
    case 'page-loaded':
      return 'The page was reloaded.';
    case 'broken':
      return 'Connection lost.';
    case 'no-answer':
      return detail === undefined
        ? 'The server isn’t responding.'
        : `The server isn’t responding (${detail}).`;
    case 'held':
      return `The server still holds the previous stream (HTTP ${status}).`;
    case 'unavailable':
      return `The server is temporarily unavailable (HTTP ${status}).`;
    case 'refused':
      return `The server rejected the stream (HTTP ${status}).`;
  }
}

const MAY_HAVE_RUN = 'The tool may have run. Check before calling it again.';
const MAY_BE_RUNNING = 'It may still be running, but its result can’t be retrieved.';

/** Why the result of a call can't be had. */
export function reasonWords(reason: Reason): string {
  switch (reason.code) {
    case 'no-session':
      return `This server doesn’t use sessions, so this call can’t be resumed. ${MAY_HAVE_RUN}`;
    case 'page-closed':
      return `The page closed before the server sent an event ID, so this call can’t be resumed. ${MAY_HAVE_RUN}`;
    case 'no-event-id':
      return `The connection was lost before the server sent an event ID, so this call can’t be resumed. ${MAY_HAVE_RUN}`;
    case 'no-replay':
      return `This server doesn’t send event IDs, so this call can’t be resumed. ${MAY_BE_RUNNING}`;
    case 'closed-is-cancelled':
      return 'The stream closed before the response. On a stateless server, closing the stream cancels the call.';
    case 'session-gone':
      return `The session ended. ${MAY_BE_RUNNING}`;
    case 'no-answer':
      return `The server didn’t respond. ${MAY_HAVE_RUN}`;
    case 'unauthorized':
      return 'The server requires a login, so the call didn’t run.';
    case 'resume-blocked':
      return (
        'The browser blocks resuming this call, because the server doesn’t list Last-Event-ID in ' +
        `Access-Control-Allow-Headers (CORS). ${MAY_BE_RUNNING}`
      );
    case 'post-refused':
      return `The server rejected the request (HTTP ${reason.status}).`;
    case 'resume-refused':
      return `The server rejected the stream (HTTP ${reason.status}). The session is still active, but this call can’t be resumed. ${MAY_BE_RUNNING}`;
    case 'event-too-large':
      return (
        `The server sent a message of more than ${bytes(reason.limitBytes)}, which is more than this page reads. ` +
        'Ask the tool for less: a page, a filter, a link to the data.'
      );
  }
}
