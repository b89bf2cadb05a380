/** Opens a new connection on the way of the protocol on which a reload loses less. What is not used is ended. */
import type { Clock } from '../../base/clock.ts';
import type { EraVerdict, SessionsFound } from '../../log/protocol/era.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { SessionsTried } from '../../log/reasons/reasonFacts.ts';
import { farewell } from './farewell.ts';
import type { Session } from './session.ts';
import { chooseEra, judgeGet, type SessionTry } from '../protocol/chooseEra.ts';
import { trySession, type EraConnection } from './trySession.ts';

export interface BetterEraOptions<Connection extends EraConnection> {
  readonly log: ServerLog;
  readonly clock: Clock;
  /** A connection that is not opened yet. */
  readonly make: (revision: 'auto' | 'session') => Promise<Connection>;
  /** From now on this connection counts. */
  readonly use: (connection: Connection) => void;
  readonly isUsed: (connection: Connection) => boolean;
}

export interface BetterEra<Connection> {
  readonly connection: Connection;
  readonly verdict: Omit<EraVerdict, 'at'>;
}

/** A second way to a server that is reached already: its connection must not wait long for it. */
const TRY_SESSION_MS = 5000;
/** A missing session ID is rejected at once. What takes longer may be a stream, which Firefox doesn't hand out before its first byte. */
const TRY_GET_MS = 1500;
/** A handshake ends before this. */
const HANDSHAKE_MS = 35_000;

export async function openBetterEra<Connection extends EraConnection>(
  options: BetterEraOptions<Connection>,
): Promise<BetterEra<Connection>> {
  const { log, make, use } = options;
  await log.folded();
  const known = log.state.era?.sessions;
  const hasEventIds = known?.name === 'resumable' || known?.name === 'refused';
  const kept = hasEventIds ? await openKept(known, options) : undefined;
  if (kept) return kept;
  const connection = await make('auto');
  use(connection);
  await connection.open();
  const { verdict } = connection;
  if (connection.driver.era === 'session') return { connection, verdict };
  // Sessions that could be resumed were tried just now, in vain.
  if (known && !hasEventIds && known.name !== 'unknown' && known.server === serverText(connection.session))
    return { connection, verdict: { ...verdict, sessions: known } };
  return choose(connection, options);
}

/** Its sessions have event IDs: they are tried first, and the rest is found out anew where that has changed. */
async function openKept<Connection extends EraConnection>(
  known: SessionsFound,
  options: BetterEraOptions<Connection>,
): Promise<BetterEra<Connection> | undefined> {
  const connection = await options.make('session');
  options.use(connection);
  const tried = await trySession(connection, options, HANDSHAKE_MS);
  if (tried.kind === 'no-answer') throw tried.error;
  const { era, tried: shown } = chooseEra(tried);
  if (era === 'session') {
    const server = serverText(connection.session);
    const isSame = server === known.server;
    const sessions = isSame
      ? known
      : ({ name: 'resumable', checkedAt: options.clock.now(), server } as const);
    const reason = { code: 'probe-answered', how: 'earlier', sessions: shown } as const;
    return { connection, verdict: { ...connection.verdict, reason, sessions } };
  }
  leave(connection, options.clock);
  return undefined;
}

/** The server speaks 2026-07-28: does it keep sessions too? */
async function choose<Connection extends EraConnection>(
  stateless: Connection,
  options: BetterEraOptions<Connection>,
): Promise<BetterEra<Connection>> {
  const { tried, other } = await lookForSessions(stateless, options);
  const { era, sessions: name, tried: shown } = chooseEra(tried);
  if (!options.isUsed(stateless)) {
    if (other) leave(other, options.clock);
    throw new Error('The connection was closed while it was being opened.');
  }
  const [used, left] = other && era === 'session' ? [other, stateless] : [stateless, other];
  options.use(used);
  if (left) leave(left, options.clock);
  const sessions = { name, checkedAt: options.clock.now(), server: serverText(stateless.session) };
  return {
    connection: used,
    verdict: { ...used.verdict, reason: withSessions(stateless.verdict.reason, shown), sessions },
  };
}

/** What `initialize` has shown goes with what `server/discover` did. */
function withSessions(reason: Reason, sessions: SessionsTried): Reason {
  return reason.code === 'probe-answered'
    ? { ...reason, sessions }
    : { code: 'probe-answered', how: 'earlier', sessions };
}

/** Only a server that shows a sign of sessions gets an `initialize`. */
async function lookForSessions<Connection extends EraConnection>(
  stateless: Connection,
  options: BetterEraOptions<Connection>,
): Promise<{ readonly tried: SessionTry; readonly other?: Connection }> {
  const untried = judgeGet(await stateless.statusOfGet(TRY_GET_MS));
  if (untried) return { tried: untried };
  const other = await options.make('session');
  return { other, tried: await trySession(other, options, TRY_SESSION_MS) };
}

/** A server that takes its time to end a session is not waited for. */
function leave(connection: EraConnection, clock: Clock): void {
  void farewell(connection, clock).then(() => connection.close());
}

/** The name and version of a server. */
export function serverText({ handshake: { serverInfo } }: Session): string {
  return `${serverInfo.name} ${serverInfo.version}`;
}
