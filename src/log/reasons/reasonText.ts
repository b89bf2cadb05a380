/** The sentence of every reason, made where it is shown: the log has the code and the facts. */
import { bytes, plural, duration, waitWords } from '../../base/format.ts';
import { fieldWords, listChangesText } from './listChanges.ts';
import { loginSentences } from './loginSentences.ts';
import type { Reason, ReasonOf } from './reason.ts';
import type { Consequence } from './reasonFacts.ts';
import {
  corsText,
  inHttp,
  inside,
  LISTED,
  paramHeaderText,
  reloadedText,
  sessionsText,
} from './reasonPhrases.ts';
import type { Sentences } from './sentences.ts';
import { after, CANCELLED_BY_USER, DECLINED_BY_USER, noResultText } from './shortTexts.ts';

/** Not said of a tool that is safe to repeat, where the tool is known. */
export const CHECK_FIRST = ' Check before calling it again.';
const MAY_HAVE_RUN = `The tool may have run.${CHECK_FIRST}`;
const MAY_BE_RUNNING = 'It may still be running, but its result can’t be retrieved.';
const OLD_SSE_SESSION = 'An HTTP+SSE session ends when its page closes';

const SENTENCES: Sentences = {
  'page-loaded': 'Page reloaded.',
  'page-closed': `The page closed before the server sent an event ID, so this call can’t be resumed. ${MAY_HAVE_RUN}`,
  'owner-tab-closed': 'The owner tab was closed.',
  'part-missing': ({ text = 'A part of this page can’t be loaded.' }) => text,
  offline: 'You’re offline.',
  imported: ({ name = 'a file', skipped }) =>
    `Imported from ${name}. Read-only.` +
    (skipped === 0 ? '' : ` ${plural(skipped, 'entry', 'entries')} couldn’t be read.`),
  'log-ended': 'The log ends before this call finished.',
  'log-full': ({ removed }) =>
    removed === undefined
      ? 'This log is 80% full. Export it to keep everything: when it’s full, the oldest 10% is removed.'
      : `Log full: removed the oldest ${plural(removed, 'entry', 'entries')}.`,
  'storage-almost-full': ({ usedBytes, limitBytes }) =>
    `Storage is ${Math.floor((100 * usedBytes) / limitBytes)}% full (limit: ${bytes(limitBytes)} for all servers).`,
  'storage-full': ({ removed }) =>
    `Storage is full, so the oldest ${plural(removed, 'entry', 'entries')} of this server were removed.`,
  'storage-damaged': ({ how, first = 0, last = 0, text }) =>
    how === 'head'
      ? `Can’t read the saved state${after(': ', text)}. Reprise rebuilt it from the log.`
      : `Can’t read entries ${first} to ${last}${after(': ', text)}. They were set aside. All other entries are intact.`,
  reloaded: (reason) =>
    reason.how === 'call'
      ? 'Cancelled by the reload. On 2026-07-28, closing the stream of a call cancels it.'
      : reloadedText(reason),

  'user-disconnected': ({ how }) =>
    ({
      connection: 'You disconnected.',
      question: 'The session ended before you answered.',
      call: 'The session ended while this call was running.',
    })[how],
  'user-cancelled': CANCELLED_BY_USER,
  'user-declined': DECLINED_BY_USER,
  'user-completed': 'Completed outside Reprise.',
  'url-opened': 'URL opened.',
  'logged-in': 'Logged in.',
  'login-skipped': 'Continued without login.',
  'credentials-entered': 'You entered the credentials.',
  chosen: ({ era }) => `Set by you (${era === 'session' ? 'sessions' : 'stateless'}).`,
  rule: ({ how, name }) =>
    how === 'declined'
      ? 'Declined automatically.'
      : `Answered automatically${name === undefined ? '' : ` with “${name}”`}.`,
  roots: 'Answered automatically with your roots.',

  ...loginSentences((reason) => reasonText(reason)),

  'session-ended': ({ how, status, text }) =>
    ({
      forgotten: `Session not found${inHttp(status)}.`,
      'sse-closed': 'The server closed the HTTP+SSE stream, which ended the session.',
      'sse-broken': 'The HTTP+SSE stream was lost, which ended the session.',
      'sse-refused': `The server rejected the stream${inHttp(status)}.`,
      'sse-failed': `Can’t open the HTTP+SSE stream${inside(text)}.`,
    })[how],
  'session-blocked':
    'The server responds, but the browser blocks its responses to this session (CORS), so the session can’t be resumed.',
  'session-offered':
    'The server’s 404 response has a new session ID. Clients must initialize first, so Reprise doesn’t use it.',
  'sessions-forgotten': ({ because }) =>
    `The server created a session and then rejected it. ${reasonText(because)}`,
  'session-id-hidden': 'The server responded, but the browser can’t read its session ID.',
  'server-changed': ({ was, now, names }) =>
    [
      ...(now === undefined ? [] : [`The server is now ${now}${was === undefined ? '' : ` (was ${was})`}.`]),
      ...(names === undefined ? [] : [`Capabilities changed: ${names.map(fieldWords).join(', ')}.`]),
    ].join(' ') || 'The server has changed.',
  'lists-changed': ({ changes }) => listChangesText(changes),
  'lists-failed': ({ text }) => `Can’t load tools, resources and prompts${after(': ', text)}.`,
  'list-rejected': ({ rpcCode, text }) =>
    `The server rejected the list request (${rpcCode})${after(': ', text)}`,
  'list-missing': ({ how }) => `The response has no “${how}” array.`,
  'list-endless': ({ how, pages }) =>
    how === 'page-repeated'
      ? 'The server returned the same page cursor twice; stopped reading.'
      : `Stopped after ${pages === undefined ? 'many pages' : plural(pages, 'page')}: the list doesn’t end.`,
  'items-left-out': ({ how, skipped }) => {
    const [item, lacks] = LISTED[how];
    return `Skipped ${plural(skipped, item)} with no ${lacks}.`;
  },
  'items-repeated': ({ names }) => `Listed more than once: ${names?.join(', ') ?? 'some items'}.`,
  'tool-left-out': ({ name, text, because }) =>
    `${name === undefined ? 'Skipped a tool' : `Skipped tool “${name}”`}${after(': ', because ? reasonText(because) : text && `${text}.`) || '.'}`,
  'param-header': (reason) => paramHeaderText(reason),
  'wish-rejected': ({ how, rpcCode, text = rpcCode === undefined ? 'no reason given' : String(rpcCode) }) =>
    `The server rejected ${how === 'level' ? 'the level' : 'the subscription'}: ${text}`,
  'url-changed': ({ url = 'this URL', newUrl = 'another URL' }) =>
    `No MCP server at ${url}. Found one at ${newUrl} and updated the URL.`,
  'protocol-version': (reason) => versionText(reason),
  'protocol-version-changed': ({ how, status }) =>
    how === 'task'
      ? 'The server’s protocol version changed, so this task can’t be tracked. It may still be running.'
      : `The server’s protocol version changed${inHttp(status)}.`,
  'no-answer': ({ how, text }) =>
    how === 'call'
      ? `No response from the server${inside(text)}. The tool may have run.`
      : `No response from the server${inside(text)}.`,
  unavailable: ({ status }) => `The server is temporarily unavailable (HTTP ${status}).`,
  'rate-limited': 'Too many requests (HTTP 429).',
  unauthorized: ({ because }) => (because ? reasonText(because) : 'Authorization required (HTTP 401).'),
  'bridge-token': 'The bridge rejected the token (HTTP 403).',
  forbidden: ({ because }) => (because ? reasonText(because) : 'Access denied (HTTP 403).'),
  refused: ({ status, text }) => `The server rejected the request (HTTP ${status}${after(': ', text)}).`,
  redirected: 'The server redirects to another URL.',
  'not-mcp': ({ status, text, contentType }) =>
    status === undefined
      ? `This URL responds, but not with MCP (${contentType ?? 'empty response'}).`
      : `No MCP server at this URL (HTTP ${status}${after(': ', text)}).`,
  'handshake-failed': ({ status, text }) =>
    status === undefined
      ? `Initialization failed${text === undefined ? '.' : `: ${text}`}`
      : `The server returned an error during initialization (HTTP ${status}${after(': ', text)}).`,
  'rpc-error': 'The server returned a JSON-RPC error.',
  'http-error': ({ because }) => reasonText(because),
  'taken-back': ({ how }) =>
    how === 'task' ? 'Task cancelled by the server.' : 'The server withdrew the request.',
  'probe-answered': ({ how, versions, sessions }) => {
    const supported = versions === undefined ? 'an earlier protocol version' : versions.join(', ');
    if (how === 'session') return `The server supports ${supported}.`;
    if (how === 'earlier' && sessions) return sessionsText(sessions);
    const answered =
      versions === undefined
        ? 'The server supports server/discover.'
        : `server/discover: supports ${supported}.`;
    return sessions ? `${answered} ${sessionsText(sessions)}` : answered;
  },
  'probe-refused': ({ how, status, rpcCode, text }) =>
    how === 'malformed'
      ? NOT_AS_ASKED
      : `The server doesn’t support server/discover${rpcCode === undefined ? inHttp(status) : inside(`${rpcCode}${after(': ', text)}`)}.`,
  'probe-blocked':
    'The browser couldn’t read the server/discover response. The server may still support 2026-07-28: ' +
    'it must allow the Mcp-Method and Mcp-Name headers (CORS).',
  'probe-silent': ({ afterMs }) => `No response to server/discover within ${duration(afterMs)}.`,
  'old-sse': ({ how, url }) =>
    ({
      found:
        'The server rejects Streamable HTTP, and its GET stream starts with an endpoint event: HTTP+SSE (2024-11-05).',
      endpoint: `Message endpoint: ${url ?? 'another URL'}`,
      'page-ended': 'The HTTP+SSE session ended when the page closed.',
      'not-taken': `The page closed before the server accepted the call. ${OLD_SSE_SESSION}, so it can’t be resumed. ${MAY_HAVE_RUN}`,
      lost: `${OLD_SSE_SESSION}, so the result can’t be retrieved. ${MAY_HAVE_RUN}`,
    })[how],

  cors: ({ how, names }) => `The browser blocked the response (CORS). ${corsText(how, names)}`,
  'mixed-content': 'An HTTPS page can’t connect to an HTTP server (mixed content).',
  'local-network': ({ how, host = 'a server' }) =>
    how === 'http'
      ? `The browser doesn’t let an HTTP page reach ${host} on your local network.`
      : `The browser blocked access to ${host} on your local network.`,
  'wrong-scheme': ({ how, host = 'The server' }) =>
    `${host} uses ${how}, not ${how === 'http' ? 'https' : 'http'}.`,
  unreachable: ({ how, host = 'this URL' }) =>
    how === 'http'
      ? `No response from ${host}.`
      : `No response from ${host}, or its certificate isn’t trusted. The browser doesn’t say which.`,

  broken: ({ text }) => (text === undefined ? 'Connection lost.' : `Connection lost (${text}).`),
  held: ({ status }) => `The server still holds the previous stream (HTTP ${status}).`,
  'no-session': `This server doesn’t use sessions, so this call can’t be resumed. ${MAY_HAVE_RUN}`,
  'session-gone': `The session ended. ${MAY_BE_RUNNING}`,
  'no-replay': `This server doesn’t send event IDs, so this call can’t be resumed. ${MAY_BE_RUNNING}`,
  'no-event-id': `The connection was lost before the server sent an event ID, so this call can’t be resumed. ${MAY_HAVE_RUN}`,
  'closed-is-cancelled':
    'The stream closed before the response. On a stateless server, closing the stream cancels the call.',
  'resume-blocked':
    'The browser blocks resuming this call, because the server doesn’t list Last-Event-ID in ' +
    `Access-Control-Allow-Headers (CORS). ${MAY_BE_RUNNING}`,
  'resume-refused': ({ status }) =>
    `The server rejected the stream (HTTP ${status}). The session is still active, but this call can’t be resumed. ${MAY_BE_RUNNING}`,
  'stream-refused': ({ status }) => `The server rejected the stream (HTTP ${status}).`,
  'event-too-large': ({ limitBytes }) =>
    `The server sent a message larger than ${bytes(limitBytes)}, which is the limit. ` +
    'Request less data: use paging, a filter or a resource link.',
  'message-too-large': 'Message too large to read.',
  'not-processed': 'Can’t process this message.',
  'not-json': 'Not a JSON-RPC message.',
  'deaf-stream':
    'The resumed standalone stream sent no events, which is a known bug of some servers. ' +
    'Reprise opened it again without Last-Event-ID. A message sent at that moment may be missing.',
  'no-connection':
    'The standalone stream waits for a free connection, because other servers of this origin use them all. ' +
    'Calls work, but messages outside of calls may be missing until then.',
  'no-stream': ({ text }) =>
    text === undefined
      ? 'The server has no standalone stream.'
      : `The server has no standalone stream: ${text}`,
  'not-told': ({ names }) =>
    `The server declined to send updates for ${names?.join(', ') ?? 'some changes'}.`,
  'not-sent': 'The call wasn’t sent.',
  'timed-out': ({ how, timeoutMs, backgroundMs }) => {
    if (how === 'call') return noResultText(timeoutMs, backgroundMs);
    const ended = how === 'elicitation' ? 'Cancelled' : 'Declined';
    return `Not answered within ${waitWords(timeoutMs)}. ${ended}.`;
  },
  'secret-not-stored':
    'Reprise doesn’t store secret values, so this call can’t continue after a reload. Call it again.',
  'too-many-rounds': ({ rounds }) => `Stopped: the server requested input ${rounds} times in a row.`,
  'call-ended': 'The call ended before you answered.',
  'progress-went-back': ({ from, to }) => `Progress went back from ${from} to ${to}.`,
  'progress-doubled': ({ pairs }) => `Each of the first ${pairs} progress notifications arrived twice.`,
  'second-response': 'The server sent two responses to one request.',
  'task-cancelled': ({ text }) =>
    text === undefined ? 'Task cancelled by the server.' : `Task cancelled by the server: ${text}`,
  'task-expired': ({ how, ttlMs = 0 }) =>
    how === 'question'
      ? 'The task expired before you answered.'
      : `The task expired after ${duration(ttlMs)}. Its result is no longer available.`,
  'task-unknown': ({ text }) =>
    `The server no longer has this task${inside(text)}. Its result is no longer available.`,
  'task-odd': ({ how, text }) =>
    ({
      'not-cancelled': `Can’t cancel the task${text === undefined ? '.' : `: ${text}`} It may still be running.`,
      malformed: `Unexpected task format${after(': ', text)}.`,
      'not-asked-again':
        'A task needs input, but the server doesn’t repeat the request it sent to an earlier page load. ' +
        'Cancel the task and call the tool again.',
      'result-refused': `The server says the task is completed, but refuses its result${after(': ', text)}.`,
    })[how],
  recorded: ({ text = '' }) => text,
};

const NOT_AS_ASKED = 'The server’s server/discover response isn’t valid for 2026-07-28.';

const CONSEQUENCES: Readonly<Record<Consequence, string>> = {
  'answer-not-awaited': 'The server is no longer waiting for an answer.',
  'result-unreachable': 'The result can’t be retrieved.',
  'new-session': 'Starting a new session.',
  'not-run': 'The server rejected the call, so the tool didn’t run.',
  'not-run-call-again': 'The server rejected the call, so the tool didn’t run. Call it again.',
  'may-have-run': MAY_HAVE_RUN,
};

/** Empty without a reason. */
export function reasonText(reason: Reason | undefined): string {
  if (!reason) return '';
  // A newer build may have stored a code that this one doesn't know, as long as the version is the same.
  const sentence = (SENTENCES as Partial<Sentences>)[reason.code] ?? reason.code;
  // Each function is in the row of its own code.
  const text = typeof sentence === 'string' ? sentence : (sentence as (one: Reason) => string)(reason);
  return reason.so === undefined ? text : `${text} ${CONSEQUENCES[reason.so]}`;
}

function versionText({ how, version, versions, rpcCode, because }: ReasonOf<'protocol-version'>): string {
  switch (how) {
    case 'not-shared':
      return `No common protocol version${after(' (server: ', version)}${version === undefined ? '' : ')'}.`;
    case 'contradiction':
      return `The server lists ${version ?? 'a protocol version'} but rejects it${inside(rpcCode)}.`;
    case 'too-new':
      return `The server supports ${versions?.join(', ') ?? 'later protocol versions'}. Reprise supports 2026-07-28 and earlier.`;
    case 'no-fallback': {
      const text = 'This server doesn’t support 2026-07-28.';
      return because ? `${text} ${reasonText(because)}` : text;
    }
    case 'malformed':
      return NOT_AS_ASKED;
  }
}
