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
const OLD_SSE_SESSION = 'The old HTTP+SSE transport ends its session with the page.';

const SENTENCES: Sentences = {
  'page-loaded': 'The page was loaded again.',
  'page-closed': `The page closed before the server sent an event ID, so this call can’t be resumed. ${MAY_HAVE_RUN}`,
  'owner-tab-closed': 'The tab that led before is gone.',
  'part-missing': ({ text = 'A part of this page can’t be loaded.' }) => text,
  offline: 'This computer is offline.',
  imported: ({ name = 'a file', skipped }) =>
    `This log was imported from ${name}: it can be read.` +
    (skipped === 0 ? '' : ` ${count(skipped, 'entry', 'entries')} couldn’t be read.`),
  'log-ended': 'The log ends before this call does.',
  'log-full': ({ removed }) =>
    removed === undefined
      ? 'This log is 80 % full. Export it if you want to keep all of it: at the limit the oldest tenth is removed.'
      : `This log is full: the oldest ${count(removed, 'entry', 'entries')} were removed.`,
  'storage-almost-full': ({ usedBytes, limitBytes }) =>
    `Storage is ${Math.floor((100 * usedBytes) / limitBytes)} % full (limit: ${bytes(limitBytes)} for all servers).`,
  'storage-full': ({ removed }) =>
    `Storage is full, so the oldest ${count(removed, 'entry', 'entries')} of this server were removed.`,
  'storage-damaged': ({ how, first = 0, last = 0, text }) =>
    how === 'head'
      ? `The head of this log could not be read${after(': ', text)}. It was made again from the entries.`
      : `Entries ${first} to ${last} could not be read and were put aside${after(': ', text)}. Everything else is here; an export holds what is left.`,
  reloaded: (reason) =>
    reason.how === 'call'
      ? 'Cancelled by the reload. On 2026-07-28, closing the stream of a call cancels it.'
      : reloadedText(reason),

  'user-disconnected': ({ how }) =>
    ({
      connection: 'You disconnected.',
      question: 'The session was ended before it was answered.',
      call: 'The session was ended while this call was running.',
    })[how],
  'user-cancelled': CANCELLED_BY_USER,
  'user-declined': DECLINED_BY_USER,
  'user-completed': 'It was not opened from here.',
  'url-opened': 'The address was opened.',
  'logged-in': 'You logged in.',
  'login-skipped': 'You went on without a login.',
  'credentials-entered': 'You entered the credentials.',
  chosen: ({ era }) => `You chose the revision with${era === 'session' ? '' : 'out'} sessions.`,
  rule: ({ how, name }) =>
    how === 'declined'
      ? 'Declined by your rule.'
      : `Answered by your rule${name === undefined ? '' : ` with “${name}”`}.`,
  roots: 'Answered with your roots.',

  'login-needed': ({ how, scope }) =>
    ({
      first: 'The server asks for a login.',
      over: 'The login is over.',
      'token-refused': 'The server refuses a token that was just renewed.',
      scope: `The server asks for more rights${after(': ', scope)}.`,
      'no-metadata':
        'The server requires authorization (HTTP 401), but has no OAuth metadata. Enter a bearer token under “Authorization and headers”, or try to log in.',
    })[how],
  'login-failed': ({ how, name, text, because }) =>
    ({
      'not-begun': 'This login was not begun here, or was finished before. It was ignored.',
      'too-late':
        'This login was started more than 15 minutes ago, so its response was ignored. Log in again.',
      'mix-up':
        'The response came to the redirect URL of another authorization server (mix-up attack, RFC 9700), so its code was not sent. Check where you logged in.',
      'server-error': `The login did not succeed: the server said “${name ?? 'error'}”${inside(text)}.`,
      'no-address': 'The authorization server named no address to log in at.',
      refused: because
        ? `The login did not succeed. ${reasonText(because)}`
        : text === undefined
          ? 'The login did not succeed.'
          : `The login did not succeed: ${text}`,
    })[how],
  'login-not-started': ({ how, host = 'another host' }) =>
    how === 'host-changed'
      ? `The login is at ${host}. Log in again to go there.`
      : 'There is no login to start. Connect again.',
  'client-needed': 'The authorization server does not register this page by itself.',
  'client-secret-needed': 'client_secret_basic needs a client secret.',
  'credentials-needed': ({ how }) =>
    how === 'other-tab'
      ? 'Enter the credentials again. They were kept for another tab only.'
      : 'Enter the server URL with its key again. The stored key can’t be decrypted.',
  'scope-not-granted': ({ logins, scope }) =>
    `The server still asks for rights${inside(scope)} after ${count(logins, 'login')} for them.`,
  'challenge-hidden':
    'There is no WWW-Authenticate header that this page may read (Access-Control-Expose-Headers).',
  'no-pkce': ({ how }) =>
    ({
      refused: NO_PKCE,
      continued: `${NO_PKCE} You continued anyway.`,
      'not-listed': 'The metadata does not say that PKCE is supported.',
      'no-s256': 'The metadata does not offer PKCE with S256.',
    })[how],
  'metadata-incomplete': ({ how, names }) =>
    ({
      resource: 'The metadata does not name the resource.',
      servers: 'The metadata names no authorization server.',
      fields: `The metadata lacks ${names?.join(', ') ?? 'fields'}.`,
    })[how],
  'metadata-elsewhere': ({ url = 'another server', newUrl = 'this one' }) =>
    `The metadata is for ${url}, not for ${newUrl}. A token for it would be another server's.`,
  'metadata-unusable': ({ text, because }) =>
    because
      ? `The metadata of the authorization cannot be used. ${reasonText(because)}`
      : `The metadata of the authorization cannot be used${inside(text)}.`,
  'metadata-rejected': ({ text = 'The metadata of the authorization was rejected.', because }) =>
    because ? reasonText(because) : text,
  'unsafe-url': (reason) => unsafeUrlText(reason),
  'auth-incomplete': ({ how }) => `The answer has no ${how}.`,
  'auth-refused': ({ status, text }) => `The server refused (${status}${after(': ', text)}).`,
  'auth-unreadable': ({ contentType }) =>
    `The response isn’t a JSON object${inside(contentType)}, so it wasn’t used or recorded.`,
  'auth-too-large': ({ limitBytes }) => `The response is larger than ${bytes(limitBytes)}, so it isn’t read.`,
  'auth-redirected': 'The server redirects elsewhere. This page does not follow it.',
  'auth-no-answer': ({ text }) =>
    `No answer that this page may read${inside(text)}. Is the server up, and does it allow this page's origin (CORS)?`,

  'session-ended': ({ how, status, text }) =>
    ({
      forgotten: `The server does not know this session any more${inside(status)}.`,
      'sse-closed': 'The server closed the stream of the old HTTP+SSE transport, and the session with it.',
      'sse-broken': 'The stream of the old HTTP+SSE transport broke, and the session with it.',
      'sse-refused': `The server refused the stream${inside(status)}.`,
      'sse-failed': `The stream of the old HTTP+SSE transport can’t be opened${inside(text)}.`,
    })[how],
  'session-blocked':
    'The server responds, but the browser blocks its responses to this session (CORS), so the session can’t be resumed.',
  'session-offered':
    'With its 404 the server offers a new session. Clients must initialize anyway, so the offered session isn’t used.',
  'sessions-forgotten': ({ because }) =>
    `The server starts sessions and then rejects them. ${reasonText(because)}`,
  'session-id-hidden':
    'The server answered the handshake, but the browser hides its session id from this page.',
  'server-changed': ({ was, now, names }) =>
    [
      ...(now === undefined ? [] : [`The server is now ${now}${was === undefined ? '' : ` (was ${was})`}.`]),
      ...(names === undefined ? [] : [`Capabilities changed: ${names.map(fieldWords).join(', ')}.`]),
    ].join(' ') || 'The server has changed.',
  'lists-changed': ({ changes }) => listChangesText(changes),
  'lists-failed': ({ text }) => `The lists could not be read${after(': ', text)}.`,
  'list-rejected': ({ rpcCode, text }) => `The server refused the list (${rpcCode})${after(': ', text)}`,
  'list-missing': ({ how }) => `The server's answer has no list of ${how}.`,
  'list-endless': ({ how, pages }) =>
    how === 'page-repeated'
      ? 'The list goes round in circles: the server named the same page twice.'
      : `Stopped after ${pages === undefined ? 'many pages' : count(pages, 'page')}: the list of the server does not end.`,
  'items-left-out': ({ how, skipped }) => {
    const [item, lacks] = LISTED[how];
    return `${count(skipped, item)} without ${lacks} ${skipped === 1 ? 'is' : 'are'} left out.`;
  },
  'items-repeated': ({ names }) => `Listed more than once: ${names?.join(', ') ?? 'some items'}.`,
  'tool-left-out': ({ name, text, because }) =>
    `${name === undefined ? 'A tool' : `The tool “${name}”`} is left out${after(': ', because ? reasonText(because) : text && `${text}.`) || '.'}`,
  'param-header': (reason) => paramHeaderText(reason),
  'wish-rejected': ({ how, rpcCode, text = rpcCode === undefined ? 'no reason given' : String(rpcCode) }) =>
    `The server refuses${how === 'level' ? ' the level' : ''}: ${text}`,
  'url-changed': ({ url = 'this URL', newUrl = 'another URL' }) =>
    `Nothing speaks MCP at ${url}. The server answers at ${newUrl}: the address was changed.`,
  'protocol-version': (reason) => versionText(reason),
  'protocol-version-changed': ({ how, status }) =>
    how === 'task'
      ? 'The server speaks another revision now: this task cannot be followed. It may still be running.'
      : `The server speaks another revision of the protocol now${inside(status)}.`,
  'no-answer': ({ how, text }) =>
    how === 'call'
      ? `The server did not answer${inside(text)}. Whether the tool ran is not known.`
      : `The server isn’t responding${inside(text)}.`,
  unavailable: ({ status }) => `The server is temporarily unavailable (HTTP ${status}).`,
  'rate-limited': 'The server asks for patience (429).',
  unauthorized: ({ because }) => (because ? reasonText(because) : 'The server asks for authorization (401).'),
  'bridge-token': 'The bridge rejected the token (HTTP 403).',
  forbidden: ({ because }) => (because ? reasonText(because) : 'The server forbids this (403).'),
  refused: ({ status, text }) => `The server refused the request (${status}${after(': ', text)}).`,
  redirected: 'The server redirects to another address.',
  'not-mcp': ({ status, text, contentType }) =>
    status === undefined
      ? `Something answers here, but it does not speak MCP (${contentType ?? 'an empty answer'}).`
      : `No MCP server answers at this address (${status}${after(': ', text)}).`,
  'handshake-failed': ({ status, text }) =>
    status === undefined
      ? `The handshake failed${text === undefined ? '.' : `: ${text}`}`
      : `The server answered the handshake with an error (${status}${after(': ', text)}).`,
  'rpc-error': 'The server answered with a JSON-RPC error.',
  'http-error': ({ because }) => reasonText(because),
  'taken-back': ({ how }) => (how === 'task' ? 'The server cancelled it.' : 'The server took it back.'),
  'probe-answered': ({ how, versions, sessions }) => {
    const speaks = versions === undefined ? 'an earlier revision' : versions.join(', ');
    if (how === 'session') return `The server speaks ${speaks}.`;
    if (how === 'earlier' && sessions) return sessionsText(sessions);
    const answered = `The server answered server/discover${versions === undefined ? '' : `: it speaks ${speaks}`}.`;
    return sessions ? `${answered} ${sessionsText(sessions)}` : answered;
  },
  'probe-refused': ({ how, status, rpcCode, text }) =>
    how === 'malformed'
      ? NOT_AS_ASKED
      : `The server does not know server/discover${inside(rpcCode === undefined ? status : `${rpcCode}${after(': ', text)}`)}.`,
  'probe-blocked':
    'The probe for 2026-07-28 got no answer that this page may read. That is no proof of an old server: ' +
    'one that does not allow the headers Mcp-Method and Mcp-Name (CORS) looks the same from here.',
  'probe-silent': ({ afterMs }) => `The server did not answer server/discover within ${duration(afterMs)}.`,
  'old-sse': ({ how, url }) =>
    ({
      found:
        'The server refuses Streamable HTTP, and its GET stream begins with an endpoint: the old HTTP+SSE transport of 2024-11-05.',
      endpoint: `The server takes messages at ${url ?? 'another URL'}.`,
      'page-ended': 'The old HTTP+SSE transport ended the session with its page.',
      'not-taken':
        'The page left before the server took the call, and the old HTTP+SSE transport ends its session with the page. Whether the tool ran is not known: look before you call it again.',
      lost: `${OLD_SSE_SESSION} Whether the tool ran to its end is not known, and its result is not reachable: look before you call it again.`,
    })[how],

  cors: ({ how, names }) =>
    `The server answers, but it does not allow this page to read the answer (CORS). ${corsText(how, names)} ` +
    'Which revision it speaks cannot be seen from here: this is no proof of an old server.',
  'mixed-content': 'A page under https may not talk to a server under http.',
  'local-network': ({ how, host = 'a server' }) =>
    how === 'http'
      ? `A page under http from elsewhere may not reach ${host} on the local network.`
      : `This browser does not let the page reach ${host} on the local network.`,
  'wrong-scheme': ({ how, host = 'The server' }) =>
    `${host} speaks ${how}, not ${how === 'http' ? 'https' : 'http'}.`,
  unreachable: ({ how, host = 'this address' }) =>
    how === 'http'
      ? `No server answers at ${host}.`
      : `No server answers at ${host}, or its certificate is not trusted. A page is not told which.`,

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
    `The server sent a message of more than ${bytes(limitBytes)}, which is more than this page reads. ` +
    'Ask the tool for less: a page, a filter, a link to the data.',
  'message-too-large': 'This message is too large to be read.',
  'not-processed': 'This message can’t be processed.',
  'not-json': 'This event is not a JSON-RPC message.',
  'deaf-stream':
    'The resumed standalone stream was silent, as streams of some servers stay after a resume. ' +
    'It was opened again without Last-Event-ID. A message that the server sent at that moment may be missing.',
  'no-connection':
    'The standalone stream waits for a free connection, because other servers of this origin use them. ' +
    'Calls work. Messages outside of calls may be missing until then.',
  'no-stream': ({ text }) =>
    text === undefined
      ? 'The server offers no stream to listen on.'
      : `The server offers no stream to listen on: ${text}`,
  'not-told': ({ names }) => `The server will not tell of: ${names?.join(', ') ?? 'all changes'}.`,
  'not-sent': 'The call was not sent.',
  'timed-out': ({ how, timeoutMs, backgroundMs }) => {
    if (how === 'call') return noResultText(timeoutMs, backgroundMs);
    const told = how === 'elicitation' ? 'cancelled' : 'declined';
    return `Nobody answered within ${waitWords(timeoutMs)}. The server was told that it is ${told}.`;
  },
  'secret-not-stored':
    'Reprise doesn’t store secret values, so this call can’t go on after a reload. Call it again.',
  'too-many-rounds': ({ rounds }) =>
    `The server asked for input ${rounds} times and never went on. Nothing more was sent.`,
  'call-ended': 'Its call ended before it was answered.',
  'progress-went-back': ({ from, to }) => `Progress went back from ${from} to ${to}.`,
  'progress-doubled': ({ pairs }) => `Each of the first ${pairs} progress notifications came twice.`,
  'second-response': 'The server sent two responses to one request.',
  'task-cancelled': ({ text }) =>
    text === undefined ? 'The server cancelled the task.' : `The server cancelled the task: ${text}`,
  'task-expired': ({ how, ttlMs = 0 }) =>
    how === 'question'
      ? 'The TTL of its task passed before it was answered.'
      : `The server kept this task for ${duration(ttlMs)}. That time is over, and its result is gone.`,
  'task-unknown': ({ text }) =>
    `The server does not know this task any more${inside(text)}. Its result is gone.`,
  'task-odd': ({ how, text }) =>
    ({
      'not-cancelled': `The task could not be cancelled${text === undefined ? '.' : `: ${text}`} It may still be running.`,
      malformed: `The server describes its task in another way${after(': ', text)}.`,
      'not-asked-again':
        'A task waits for an answer, and its server does not ask again: the question went to a page that is gone. ' +
        'Cancel the task, and call the tool again.',
    })[how],
  recorded: ({ text = '' }) => text,
};

const NO_PKCE =
  'The authorization server metadata doesn’t list S256 in code_challenge_methods_supported, and MCP requires PKCE.';
const NOT_AS_ASKED = 'The server answers server/discover, but not as 2026-07-28 asks for.';

/** What an item of each list is, and what it can't be shown without. */
const LISTED: Readonly<Record<ReasonOf<'items-left-out'>['how'], readonly [item: string, lacks: string]>> = {
  tools: ['tool', 'a name'],
  resources: ['resource', 'a uri'],
  resourceTemplates: ['resource template', 'a uriTemplate'],
  prompts: ['prompt', 'a name'],
  tasks: ['task', 'an ID or a known status'],
};

const CONSEQUENCES: Readonly<Record<Consequence, string>> = {
  'answer-not-awaited': 'Nobody waits for the answer any more.',
  'result-unreachable': 'The result of this call is not reachable.',
  'new-session': 'A new session is started.',
  'not-run': 'The call was refused, so it was not run.',
  'not-run-call-again': 'The call was refused, so it was not run. Call it again.',
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
    ...(tasks > 0 ? [`${count(tasks, 'task')} followed across the reload.`] : []),
    ...(questions > 0 ? [`${count(questions, 'question')} kept, with the server’s state.`] : []),
    ...(cancelled > 0 ? [`${count(cancelled, 'call')} cancelled by the reload.`] : []),
  ];
  return sentences.join(' ') || 'Nothing was waiting for this page.';
}

function unsafeUrlText({ how, name, host, text }: ReasonOf<'unsafe-url'>): string {
  const what =
    name === undefined
      ? 'An address in the metadata of the authorization server'
      : `The ${name} in the metadata`;
  return how === 'http'
    ? `${what} uses http${inside(host)}. Only https is safe there, or http on this machine.`
    : `${what} begins with ${text === undefined ? 'a scheme' : `“${text}”`}, which this page refuses to open. Only http and https are safe.`;
}

function paramHeaderText({ how, name, text }: ReasonOf<'param-header'>): string {
  const mark = `x-mcp-header${name === undefined ? '' : ` of “${name}”`}`;
  return {
    misplaced: 'x-mcp-header stands where no parameter can be found by its name.',
    empty: `${mark} is empty.`,
    'not-a-token': `${mark} cannot be the name of a header${after(': ', text)}.`,
    'wrong-type': `${mark} is on a parameter that is not a string, an integer or a boolean.`,
    repeated: `x-mcp-header${after(' ', text)} is there twice.`,
  }[how];
}

function versionText({ how, version, versions, rpcCode, because }: ReasonOf<'protocol-version'>): string {
  switch (how) {
    case 'not-shared':
      return `The server and this page share no revision of the protocol${inside(version)}.`;
    case 'contradiction':
      return `The server offers ${version ?? 'a revision'} and refuses it${inside(rpcCode)}.`;
    case 'too-new':
      return `The server speaks ${versions?.join(', ') ?? 'newer revisions'}; this page speaks 2026-07-28 and older.`;
    case 'no-fallback': {
      const text = 'This server does not speak 2026-07-28 to this page.';
      return because ? `${text} ${reasonText(because)}` : text;
    }
    case 'malformed':
      return NOT_AS_ASKED;
  }
}

function sessionsText({ how, status }: SessionsTried): string {
  switch (how) {
    case 'no-answer':
      return 'Reprise got no response when it looked for sessions, so it isn’t known if the server has any.';
    case 'rejected':
      return `The server rejected initialize${status === undefined ? '' : ` (HTTP ${status})`}, so it has no sessions.`;
    case 'untried':
      return `The server responded to GET with HTTP ${status ?? 405}. Servers with sessions ask for a session ID there, so Reprise didn’t try sessions.`;
    case 'no-session-id':
      return 'The server accepts initialize, but sends no session ID.';
    case 'no-event-ids':
      return 'The server also has sessions, but its responses to initialize and ping have no event IDs.';
    case 'resumable':
      return 'The server also has sessions with event IDs, so Reprise can ask to resume calls after a reload.';
  }
}

function corsText(how: ReasonOf<'cors'>['how'], names: readonly string[] | undefined): string {
  switch (how) {
    case 'answers':
      return 'Its responses carry no Access-Control-Allow-Origin for this page.';
    case 'post-answers':
      return 'Its answers to GET can be read, those to POST carry no Access-Control-Allow-Origin for this page.';
    case 'preflight':
      return 'Its answers can be read, but the browser’s question before them (OPTIONS) is not answered with 2xx and Access-Control-Allow-Headers.';
    case 'headers':
      return `Its answer to OPTIONS does not name ${names?.join(', ') ?? 'some headers'} in Access-Control-Allow-Headers.`;
    case 'nothing':
      return 'Each part can be read by itself: it may have been an interruption, or POST is not in Access-Control-Allow-Methods.';
  }
}

/** Nothing where the fact is not known. */
const inside = (fact: string | number | undefined): string => (fact === undefined ? '' : ` (${fact})`);
