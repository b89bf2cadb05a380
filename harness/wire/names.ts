/** Names that tests and reports share. Types only, and without imports, because they are a part of the package's declarations. */

/**
 * `call`: tools/call. `resume`: GET with `Last-Event-ID`. `listen`: GET without it, or subscriptions/listen.
 * `answer`: a response to a request of the server. `task`: tasks/get, tasks/result and the like.
 */
export type RequestKind =
  | 'initialize'
  | 'discover'
  | 'call'
  | 'resume'
  | 'listen'
  | 'answer'
  | 'cancel'
  | 'notification'
  | 'task'
  | 'request'
  | 'delete'
  | 'preflight';

/**
 * How much the page misses. Messages are those of the call. `the response` is the call's last one. `nothing` doesn't
 * hold anything back. A time keeps the page away for that long.
 */
export type AwayFor =
  | 'nothing'
  | 'one message'
  | 'two messages'
  | `${number} messages`
  | 'the response'
  | `${number} s`;

export type ClientRule =
  | 'one-session'
  | 'session-header'
  | 'version-header'
  | 'unique-ids'
  | 'resumes-stream'
  | 'last-event'
  | 'retry-delay'
  | 'runs-once'
  | 'no-delete'
  | 'no-cancel'
  | 'new-after-404'
  | 'response-delivered'
  | 'answers-once'
  | 'answers-ping'
  | 'task-kept'
  | 'request-headers'
  | 'no-token-in-url';
