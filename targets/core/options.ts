/** What a profile can set or bend. The defaults are the reference behaviour. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Catalog } from './catalog.ts';
import type { LogSink } from './log.ts';
import type { ModernExtension } from './modern/modernExtension.ts';
import type { Session } from './session.ts';
import type { PostBranches } from './postBranches.ts';
import type { SessionRegistry } from './sessions.ts';
import type { Stats } from './stats.ts';
import type { SessionEventStore } from './streamLedger.ts';
import type { SessionTasks } from './tasks/sessionTasks.ts';
import type { TaskSettings } from './tasks/taskLedger.ts';
import type { ToolDefinition } from './toolTable.ts';

export type Handler = (request: Request) => Promise<Response>;

export type StreamKind = 'post' | 'standalone' | 'resumed';

/** Which revisions a target speaks: up to 2025-11-25 with `initialize`, 2026-07-28 without, or both at one address. */
export type Era = 'session' | 'stateless' | 'both';

export interface TargetOptions {
  readonly name?: string;
  /** `session` if left out. */
  readonly era?: Era;
  /** Offers tasks, as each revision has them. */
  readonly tasks?: TaskSettings;
  /** Makes the event store of one session, which is cleared when that ends; `null`: none, so no event ids and no replay. */
  readonly createEventStore?: ((log: LogSink) => SessionEventStore) | null;
  /** Answer a POST with one JSON body instead of a stream. */
  readonly jsonResponses?: boolean;
  /** No sessions at all: each POST has a server of its own. */
  readonly stateless?: boolean;
  /** The `retry:` that goes with each priming event. */
  readonly retryMs?: number;
  /** Close a resumed stream after its response, as a first-hand stream is closed. */
  readonly endsResumedStreams?: boolean;
  /** Run a request again that was already received in the session, instead of letting it join the first run. */
  readonly runsRepeats?: boolean;
  /** Sessions without traffic, open streams and running calls end after this long. */
  readonly idleMs?: number;
  readonly reapEveryMs?: number;
  /** How long a client has for the answer to a question. */
  readonly answerTimeoutMs?: number;
  readonly branches?: Partial<PostBranches>;
  /** What a request with a session id that nobody knows gets. */
  readonly refuseUnknown?: (request: Request, sessions: SessionRegistry) => Promise<Response>;
  /** Sees every request to the MCP endpoint first. */
  readonly around?: (request: Request, next: Handler, sessions: SessionRegistry) => Promise<Response>;
  /** Which request a message is said to belong to; `undefined` puts it on the standalone stream. */
  readonly relate?: (message: JSONRPCMessage, requestId: RequestId | undefined) => RequestId | undefined;
  readonly afterSend?: (session: Session, message: JSONRPCMessage, requestId: RequestId | undefined) => void;
  /** An answer that no stream could take: its client has left, and there is no event store. */
  readonly onLostAnswer?: (session: Session, answer: JSONRPCMessage) => void;
  /** A session has been initialized; the returned function is called at its end. */
  readonly onSession?: (session: Session) => () => void;
  /** The last word on a stream before it is sent. */
  readonly shape?: (response: Response, kind: StreamKind) => Response;
  /** How a stream ended, seen from the server. */
  readonly onStreamEnd?: (session: Session, how: 'ended' | 'left' | 'dropped') => void;
  readonly extraTools?: readonly ToolDefinition[];
  readonly extraCatalog?: Catalog;
  /** Whether the tool `route` names another header than it used to. */
  readonly renamesHeader?: () => boolean;
  /** Set by the target itself where sessions offer tasks. */
  readonly sessionTasks?: SessionTasks;
  /** Extensions that are served to requests of 2026-07-28, beside tasks. */
  readonly modernExtension?: ModernExtension;
  /** Registers more on each session's server. */
  readonly decorate?: (mcp: McpServer) => void;
  readonly log?: LogSink;
  readonly now?: () => number;
  readonly stats?: Stats;
}
