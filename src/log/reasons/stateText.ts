/** What a state of the connection says beside its name: why, at what cost, and what to do about it. */
import { plural } from '../../base/format.ts';
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
      ? `${reasonText(reason)} New session started`
      : 'Server restarted';
  const parts = [
    ...(callsLost > 0 ? [`${plural(callsLost, 'call')} lost`] : []),
    ...(questionsExpired > 0 ? [`${plural(questionsExpired, 'input request')} expired`] : []),
    hasLists ? 'lists refreshed' : 'lists not read',
  ];
  return `${what}: ${parts.join(', ')}. ${listChangesText(changes)}`.trim();
}

/** "The server now uses 2026-07-28, stateless (previously 2025-11-25)" */
function eraText({ era, version, oldVersion, sse }: EraChange): string {
  if (sse === 'now') return 'The server now uses HTTP+SSE (deprecated)';
  const before = sse === 'before' ? 'HTTP+SSE' : oldVersion;
  const how = era === 'stateless' ? 'stateless' : 'with sessions';
  return `The server now uses ${version}, ${how} (previously ${before})`;
}

type Fixes = { readonly [C in ReasonCode]?: string | ((reason: ReasonOf<C>) => string) };

const SEE_EXCHANGE = 'See the response in the timeline.';
const SEE_STEPS = 'See the authorization steps for each response.';
const TRY_LATER = 'Try again in a moment, or check the server’s logs.';

const FIXES: Fixes = {
  'part-missing': 'Reload the page when this site responds, then reconnect.',
  offline: 'Reconnect when you’re back online.',
  'mixed-content': 'Serve the server over HTTPS, or run Reprise locally with npm start.',
  'local-network': ({ how }) =>
    how === 'http'
      ? 'Open Reprise over HTTPS, or run it locally with npm start.'
      : 'Allow “Local network access” in the site settings (icon next to the URL), then reconnect. Or run Reprise locally with npm start.',
  cors: ({ origin = 'the origin of this page' }) =>
    `Add CORS headers to every response, including OPTIONS. The first is Access-Control-Allow-Origin: ${origin}`,
  'wrong-scheme': ({ how, url }) => `Connect to ${url ?? `the ${how} URL`}`,
  unreachable: ({ how, origin = 'the server’s URL' }) =>
    how === 'http'
      ? 'Check that the server is running, and check the host and port.'
      : `Open ${origin} in a new tab. If you get a certificate warning, install a trusted certificate (for localhost, use mkcert or plain HTTP). Otherwise check that the server is running.`,
  unauthorized: 'Add a bearer token under “Authorization and headers”, then reconnect.',
  'bridge-token': 'Open the link that the bridge printed when it started.',
  forbidden: 'Check the token’s scopes, and that the server allows requests from this page’s origin.',
  'scope-not-granted':
    'Log in with an account that has these scopes, or check the authorization server’s settings.',
  'metadata-unusable': SEE_STEPS,
  'metadata-rejected': SEE_STEPS,
  refused: 'See the response body in the timeline.',
  'session-id-hidden': 'Add this header to every response: Access-Control-Expose-Headers: Mcp-Session-Id',
  redirected: 'Connect to the redirect target instead.',
  'not-mcp': 'Check the path. Most MCP endpoints end in /mcp.',
  unavailable: TRY_LATER,
  'rate-limited': TRY_LATER,
  'handshake-failed': ({ status }) => (status === undefined ? SEE_EXCHANGE : TRY_LATER),
  'sessions-forgotten':
    'If the server runs on several instances, route by Mcp-Session-Id or share session storage.',
  'protocol-version': ({ how }) =>
    ({
      'not-shared':
        'The server must support a version from 2024-11-05 to 2025-11-25. Or choose another protocol version under “Authorization and headers”.',
      contradiction: 'Check the server’s logs.',
      'too-new': 'Update Reprise, or enable an earlier protocol version on the server.',
      'no-fallback': 'Set the protocol version to “Detect automatically” or “Sessions”.',
      malformed: SEE_EXCHANGE,
    })[how],
  recorded: ({ fix = '' }) => fix,
};

/** What to do about it. */
export function fixText({ reason, elsewhere, isElsewhereOldSse = false }: Failure): string {
  if (elsewhere !== undefined) {
    const what = isElsewhereOldSse ? 'an HTTP+SSE server' : 'an MCP server';
    return `Found ${what} at ${elsewhere}. Connect to that URL.`;
  }
  const fix = FIXES[reason.code];
  if (fix === undefined) return SEE_EXCHANGE;
  // Each function is in the row of its own code.
  return typeof fix === 'string' ? fix : (fix as (one: Reason) => string)(reason);
}
