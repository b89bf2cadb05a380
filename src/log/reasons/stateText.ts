/** What a state of the connection says beside its name: why, at what cost, and what to do about it. */
import { count } from '../../base/words.ts';
import type { ConnectionState, EraChange, Failure, ReturnCost } from '../state/connectionState.ts';
import { listChangesText } from './listChanges.ts';
import type { Reason, ReasonCode, ReasonOf } from './reason.ts';
import { reasonText } from './reasonText.ts';

/** What coming back has cost. Nothing where there is nothing to say. */
export function costText({
  how,
  reason,
  cost,
}: Extract<ConnectionState, { readonly name: 'connected' }>): string | undefined {
  if (!reason) return undefined;
  return cost && how === 'restarted' && reason.code !== 'recorded'
    ? restartText(reason, cost)
    : reasonText(reason);
}

function restartText(reason: Reason, cost: ReturnCost): string {
  const { callsLost, questionsExpired, hasLists = false, era, changes = [] } = cost;
  const what = era
    ? eraText(era)
    : reason.code === 'old-sse'
      ? `${reasonText(reason)} A new one was started`
      : 'Server restarted';
  const parts = [
    ...(callsLost > 0 ? [`${count(callsLost, 'call')} lost`] : []),
    ...(questionsExpired > 0 ? [`${count(questionsExpired, 'question')} expired`] : []),
    hasLists ? 'lists refreshed' : 'lists not read',
  ];
  return `${what}: ${parts.join(', ')}. ${listChangesText(changes)}`.trim();
}

/** "The server speaks 2026-07-28 now, without sessions (it was 2025-11-25)" */
function eraText({ era, version, oldVersion, sse }: EraChange): string {
  if (sse === 'now') return 'The server speaks the old HTTP+SSE transport now';
  const before = sse === 'before' ? 'the old HTTP+SSE transport' : oldVersion;
  const how = era === 'stateless' ? 'without sessions' : 'with sessions';
  return `The server speaks ${version} now, ${how} (it was ${before})`;
}

type Fixes = { readonly [C in ReasonCode]?: string | ((reason: ReasonOf<C>) => string) };

const SEE_EXCHANGE = 'Look at the exchange in the timeline: it shows what the server sent.';
const SEE_STEPS = 'Look at the steps of the authorization: they show what each server answered.';
const TRY_LATER = 'Try again in a moment, or look at the log of the server.';

const FIXES: Fixes = {
  'part-missing': 'Reload the page when this site responds, then connect again.',
  offline: 'Connect again when the network is back.',
  'mixed-content': 'Give the server an https address, or open Reprise on your own computer with npm start.',
  'local-network': ({ how }) =>
    how === 'http'
      ? 'Open Reprise under https, or on your own computer with npm start.'
      : 'Allow “Local network access” for this page in the site settings (left of the address), then connect again. Or open Reprise on your own computer with npm start.',
  cors: ({ origin = 'the origin of this page' }) =>
    `Let the server answer OPTIONS, and every other request, with these headers. The first is Access-Control-Allow-Origin: ${origin}`,
  'wrong-scheme': ({ how, url }) => `Connect to ${url ?? `the address under ${how}`}`,
  unreachable: ({ how, origin = 'the address' }) =>
    how === 'http'
      ? 'Start the server, or check the host and the port.'
      : `Open ${origin} in a new tab. If the browser warns of the certificate, give the server one that this computer trusts (mkcert makes one for localhost), or use http on localhost. If nothing answers there either, start the server, or check the host and the port.`,
  unauthorized: 'Give a bearer token for this server, then connect again.',
  'bridge-token': 'Open the link that the bridge printed when it started.',
  forbidden:
    'Check that the token has the rights for it, and that the server allows the origin of this page.',
  'scope-not-granted':
    'Log in as somebody who has these rights, or look at what the authorization server grants.',
  'metadata-unusable': SEE_STEPS,
  'metadata-rejected': SEE_STEPS,
  refused: 'Look at the exchange in the timeline: the body of the answer says what the server expected.',
  'session-id-hidden':
    'Add this header to every answer of the server: Access-Control-Expose-Headers: Mcp-Session-Id',
  redirected: 'Connect to the address that it redirects to.',
  'not-mcp': 'Check the path: the endpoint of most servers ends in /mcp.',
  unavailable: TRY_LATER,
  'rate-limited': TRY_LATER,
  'handshake-failed': ({ status }) => (status === undefined ? SEE_EXCHANGE : TRY_LATER),
  'sessions-forgotten':
    'If it runs as several instances, route all requests of a session to the same one (by Mcp-Session-Id), or share the sessions between them.',
  'protocol-version': ({ how }) =>
    ({
      'not-shared':
        'Let the server answer initialize with a revision from 2024-11-05 to 2025-11-25, or choose another protocol revision under “Authorization and headers”.',
      contradiction: 'Look at the log of the server: it contradicts itself.',
      'too-new': 'Use a newer Reprise, or let the server offer an older revision as well.',
      'no-fallback': 'Connect with the revision on automatic, or on session.',
      malformed: SEE_EXCHANGE,
    })[how],
  recorded: ({ fix = '' }) => fix,
};

/** What to do about it. */
export function fixText({ reason, elsewhere, isElsewhereOldSse = false }: Failure): string {
  if (elsewhere !== undefined) {
    const who = isElsewhereOldSse ? 'A server with the old HTTP+SSE transport' : 'An MCP server';
    return `${who} answers at ${elsewhere}: connect to it there.`;
  }
  const fix = FIXES[reason.code];
  if (fix === undefined) return SEE_EXCHANGE;
  // Each function is in the row of its own code.
  return typeof fix === 'string' ? fix : (fix as (one: Reason) => string)(reason);
}
