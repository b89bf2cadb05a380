/** The sentence of every reason, made where it is shown: the log has the code and the facts. */
import { bytes, count, duration, waitWords } from '../../base/words.ts';
import { fieldWords, listChangesText } from './listChanges.ts';
import type { Reason, ReasonCode, ReasonOf } from './reason.ts';
import type { Consequence, SessionsTried } from './reasonFacts.ts';
import { after, CANCELLED_BY_USER, DECLINED_BY_USER, noResultText } from './shortTexts.ts';

type Sentences = {
  readonly [C in ReasonCode]: string | ((reason: ReasonOf<C>) => string);
};

const MAY_HAVE_RUN = 'The tool may have run. Check before calling it again.';
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
    (skipped === 0 ? '' : ` ${count(skipped, 'entry', 'entries')} couldn’t be read.`),
  'log-ended': 'The log ends before this call finished.',
  'log-full': ({ removed }) =>
    removed === undefined
      ? 'This log is 80% full. Export it to keep everything: when it’s full, the oldest 10% is removed.'
      : `Log full: removed the oldest ${count(removed, 'entry', 'entries')}.`,
  'storage-almost-full': ({ usedBytes, limitBytes }) =>
    `Storage is ${Math.floor((100 * usedBytes) / limitBytes)}% full (limit: ${bytes(limitBytes)} for all servers).`,
  'storage-full': ({ removed }) =>
    `Storage is full, so the oldest ${count(removed, 'entry', 'entries')} of this server were removed.`,
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

  'login-needed': ({ how, scope }) =>
    ({
      first: 'This server requires a login.',
      over: 'Your login has expired.',
      'token-refused': 'The server rejected a token that was just refreshed.',
      scope: `The server requires more scopes${after(': ', scope)}.`,
      'no-metadata':
        'The server requires authorization (HTTP 401), but has no OAuth metadata. Enter a bearer token under “Authorization and headers”, or try to log in.',
    })[how],
  'login-failed': ({ how, name, text, because }) =>
    ({
      'not-begun': 'Ignored a login response that doesn’t match any login started here.',
      'too-late':
        'This login was started more than 15 minutes ago, so its response was ignored. Log in again.',
      'mix-up':
        'The login response arrived at the redirect URL of another authorization server (mix-up attack, RFC 9700). Reprise didn’t send its code. Check where you logged in.',
      'server-error': `Login failed: the server returned “${name ?? 'error'}”${inside(text)}.`,
      'no-address': 'The authorization server’s metadata has no authorization endpoint.',
      refused: because
        ? `Login failed. ${reasonText(because)}`
        : text === undefined
          ? 'Login failed.'
          : `Login failed: ${text}`,
    })[how],
  'login-not-started': ({ how, host = 'another host' }) =>
    how === 'host-changed'
      ? `The login page has moved to ${host}. Log in again to open it.`
      : 'No login in progress. Reconnect to log in.',
  'client-needed': 'The authorization server doesn’t support automatic client registration.',
  'client-secret-needed': 'client_secret_basic needs a client secret.',
  'credentials-needed': ({ how }) =>
    how === 'other-tab'
      ? 'Enter the credentials again. They’re stored for another tab only.'
      : 'Enter the server URL with its key again. The stored key can’t be decrypted.',
  'scope-not-granted': ({ logins, scope }) =>
    `The server still requires more scopes${inside(scope)} after ${count(logins, 'login')}.`,
  'challenge-hidden':
    'The page can’t read a WWW-Authenticate header. Is it listed in Access-Control-Expose-Headers?',
  'no-pkce': ({ how }) =>
    ({
      refused: NO_PKCE,
      continued: `${NO_PKCE} You continued anyway.`,
      'not-listed': 'The metadata doesn’t advertise PKCE.',
      'no-s256': 'The metadata doesn’t advertise PKCE with S256.',
    })[how],
  'metadata-incomplete': ({ how, names }) =>
    ({
      resource: 'The metadata has no “resource”.',
      servers: 'The metadata lists no authorization server.',
      fields: `The metadata is missing ${names?.join(', ') ?? 'fields'}.`,
    })[how],
  'metadata-elsewhere': ({ url = 'another server', newUrl = 'this one' }) =>
    `The metadata is for ${url}, not ${newUrl}. Its tokens wouldn’t be valid here.`,
  'metadata-unusable': ({ text, because }) =>
    because
      ? `Invalid authorization metadata. ${reasonText(because)}`
      : `Invalid authorization metadata${inside(text)}.`,
  'metadata-rejected': ({ text = 'Authorization metadata rejected.', because }) =>
    because ? reasonText(because) : text,
  'unsafe-url': (reason) => unsafeUrlText(reason),
  'auth-incomplete': ({ how }) => `The response has no ${how}.`,
  'auth-refused': ({ status, text }) =>
    `The server rejected the request (HTTP ${status}${after(': ', text)}).`,
  'auth-unreadable': ({ contentType }) =>
    `The response isn’t a JSON object${inside(contentType)}, so it wasn’t used or recorded.`,
  'auth-too-large': ({ limitBytes }) => `The response is larger than ${bytes(limitBytes)}, so it isn’t read.`,
  'auth-redirected': 'The server redirects to another URL. Reprise doesn’t follow redirects here.',
  'auth-no-answer': ({ text }) =>
    `No readable response${inside(text)}. Check that the server is running and allows this page’s origin (CORS).`,

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
      : `Stopped after ${pages === undefined ? 'many pages' : count(pages, 'page')}: the list doesn’t end.`,
  'items-left-out': ({ how, skipped }) => {
    const [item, lacks] = LISTED[how];
    return `Skipped ${count(skipped, item)} with no ${lacks}.`;
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
    })[how],
  recorded: ({ text = '' }) => text,
};

const NO_PKCE =
  'The authorization server metadata doesn’t list S256 in code_challenge_methods_supported, and MCP requires PKCE.';
const NOT_AS_ASKED = 'The server’s server/discover response isn’t valid for 2026-07-28.';

/** What an item of each list is, and what it can't be shown without. */
const LISTED: Readonly<Record<ReasonOf<'items-left-out'>['how'], readonly [item: string, lacks: string]>> = {
  tools: ['tool', 'name'],
  resources: ['resource', 'URI'],
  resourceTemplates: ['resource template', 'uriTemplate'],
  prompts: ['prompt', 'name'],
  tasks: ['task', 'ID or known status'],
};

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

function reloadedText({ tasks = 0, questions = 0, cancelled = 0 }: ReasonOf<'reloaded'>): string {
  const sentences = [
    ...(tasks > 0 ? [`${count(tasks, 'task')} resumed.`] : []),
    ...(questions > 0 ? [`${count(questions, 'input request')} kept.`] : []),
    ...(cancelled > 0 ? [`${count(cancelled, 'call')} cancelled by the reload.`] : []),
  ];
  return sentences.join(' ') || 'Stateless server: nothing to resume.';
}

function unsafeUrlText({ how, name, host, text }: ReasonOf<'unsafe-url'>): string {
  const what =
    name === undefined ? 'A URL in the authorization server’s metadata' : `The ${name} in the metadata`;
  return how === 'http'
    ? `${what} uses http${inside(host)}. Use https, or http on localhost.`
    : `${what} uses ${text === undefined ? 'another scheme' : `“${text}”`}. Only http and https are allowed.`;
}

function paramHeaderText({ how, name, text }: ReasonOf<'param-header'>): string {
  const mark = `x-mcp-header${name === undefined ? '' : ` of “${name}”`}`;
  return {
    misplaced: 'x-mcp-header isn’t on a named parameter.',
    empty: `${mark} is empty.`,
    'not-a-token': `${mark} isn’t a valid header name${after(': ', text)}.`,
    'wrong-type': `${mark} requires a string, integer or boolean parameter.`,
    repeated: `x-mcp-header${after(' ', text)} is used twice.`,
  }[how];
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

function sessionsText({ how, status }: SessionsTried): string {
  switch (how) {
    case 'no-answer':
      return 'No response to initialize, so the server may or may not support sessions.';
    case 'rejected':
      return `The server rejected initialize${inHttp(status)}, so it has no sessions.`;
    case 'untried':
      return `The server responded to GET with HTTP ${status ?? 405}. Servers with sessions require a session ID there, so Reprise didn’t try sessions.`;
    case 'no-session-id':
      return 'The server accepts initialize, but sends no session ID.';
    case 'no-event-ids':
      return 'The server also has sessions, but its responses to initialize and ping have no event IDs.';
    case 'resumable':
      return 'The server also has sessions with event IDs, so calls can be resumed after a reload.';
  }
}

function corsText(how: ReasonOf<'cors'>['how'], names: readonly string[] | undefined): string {
  switch (how) {
    case 'answers':
      return 'Responses have no Access-Control-Allow-Origin for this page.';
    case 'post-answers':
      return 'GET works, but POST responses have no Access-Control-Allow-Origin for this page.';
    case 'preflight':
      return 'The preflight request (OPTIONS) fails: it needs a 2xx status and Access-Control-Allow-Headers.';
    case 'headers':
      return `The preflight response doesn’t list ${names?.join(', ') ?? 'some headers'} in Access-Control-Allow-Headers.`;
    case 'nothing':
      return 'Each check passes on its own. The network may have failed briefly, or POST is missing from Access-Control-Allow-Methods.';
  }
}

/** Nothing where the fact is not known. */
const inside = (fact: string | number | undefined): string => (fact === undefined ? '' : ` (${fact})`);
const inHttp = (status: number | undefined): string => (status === undefined ? '' : ` (HTTP ${status})`);
