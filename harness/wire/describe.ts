/** Requests, calls and findings in words. Pure. */
import { plural } from '../../src/base/format.ts';
import { HIDDEN } from '../../src/base/hidden.ts';
import { hideUrlKeys } from '../../src/base/urlKeys.ts';
import type { CallTrace } from './callTrace.ts';
import type { Finding } from './judge.ts';
import type { WireExchange } from './model.ts';
import { shortId } from './rules/rule.ts';

const SHOWN = ['last-event-id', 'mcp-session-id', 'mcp-protocol-version'];
const WIDTH = 100;
const LONGEST = 200;

const headerIn = (name: string, value: string): string =>
  `${name}: ${name === 'mcp-session-id' ? shortId(value) : value}`;

export function describeCall({ tool, args, requestId, sessionId }: CallTrace): string {
  const session = sessionId === undefined ? 'no session' : `session ${shortId(sessionId)}`;
  return `${tool} ${clip(JSON.stringify(args))}, request ID ${requestId}, ${session}`;
}

/** The exchange behind a finding, in the lines of a matcher's message. */
export function describeWireExchange(exchange: WireExchange): string {
  const { method, url, requestHeaders, message, status, responseHeaders, events } = exchange;
  const headers = SHOWN.flatMap((name) => {
    const value = requestHeaders[name];
    return value === undefined ? [] : [headerIn(name, value)];
  });
  const session =
    requestHeaders['mcp-session-id'] === undefined ? responseHeaders['mcp-session-id'] : undefined;
  const type = responseHeaders['content-type']?.split(';')[0];
  const answer = [
    [status === 0 ? 'no response' : String(status), ...(type === undefined ? [] : [type])].join(' '),
    ...(session === undefined ? [] : [headerIn('mcp-session-id', session)]),
    ...(method === 'GET' && events.length > 0 ? [plural(events.length, 'event')] : []),
  ];
  return [
    `${method} ${hideUrlKeys(url)}`,
    ...(headers.length > 0 ? [`  ${headers.join(', ')}`] : []),
    ...(message ? [`  ${clip(JSON.stringify(message))}`] : []),
    answer.join(', '),
  ].join('\n');
}

/** "Fix: …", wrapped, with the clause at its end. */
export function describeFix({ fix, clause }: Pick<Finding, 'fix' | 'clause'>): string {
  const words = `Fix: ${fix}${clause === undefined ? '' : ` [${clause}]`}`.split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = `     ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

export const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Hides credentials that the test has given, and shortens session IDs. */
export function hiderFor(
  secrets: readonly string[],
  exchanges: readonly WireExchange[],
): (text: string) => string {
  const sessions = new Set(
    exchanges.flatMap(({ requestHeaders, responseHeaders }) =>
      [requestHeaders['mcp-session-id'], responseHeaders['mcp-session-id']].filter((id) => id !== undefined),
    ),
  );
  const hidden = secrets.filter((secret) => secret.length > 0);
  return (text) => {
    const safe = hidden.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
    return [...sessions].reduce((rest, id) => rest.replaceAll(id, shortId(id)), safe);
  };
}
