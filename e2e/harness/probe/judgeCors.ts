/** What a browser makes of a server's CORS headers. Pure: one missing header, one test. */
import type { Era } from '../context.ts';

export interface CorsAnswers {
  readonly origin: string;
  /** The headers that a page must be able to send. */
  readonly needed: readonly string[];
  readonly era: Era;
  readonly hasSession: boolean;
  readonly preflight: { readonly status: number; readonly headers: Headers };
  readonly actual: { readonly status: number; readonly headers: Headers };
}

export interface CorsProblem {
  readonly why: string;
  /** The header line to add. */
  readonly add: string;
}

export function judgeCors(answers: CorsAnswers): readonly CorsProblem[] {
  const { origin, needed, era, hasSession, preflight, actual } = answers;
  const problems: CorsProblem[] = [];
  const allowOrigin = { add: `Access-Control-Allow-Origin: ${origin}` };
  if (preflight.status < 200 || preflight.status > 299) {
    const why = `The browser asks first (OPTIONS) and gets ${preflight.status}.`;
    problems.push({ why, add: 'OPTIONS answered with 204 and the headers below' });
  }
  if (!allowsOrigin(preflight.headers, origin)) {
    problems.push({ why: 'The answer to OPTIONS does not allow the origin of the page.', ...allowOrigin });
  }
  if (!allowsOrigin(actual.headers, origin)) {
    problems.push({ why: 'The answer itself does not allow the origin of the page.', ...allowOrigin });
  }
  const methods = listIn(preflight.headers, 'access-control-allow-methods');
  if (era === 'session' && !methods.has('delete') && !methods.has('*')) {
    const why = 'A page may not send DELETE, so it cannot end its session.';
    problems.push({ why, add: 'Access-Control-Allow-Methods: GET, POST, DELETE' });
  }
  const allowed = listIn(preflight.headers, 'access-control-allow-headers');
  const missing = needed.filter(
    (name) => !allowed.has(name) && (!allowed.has('*') || name === 'authorization'),
  );
  if (missing.length > 0) {
    const why = `A page may not send ${missing.join(', ')}.`;
    problems.push({ why, add: `Access-Control-Allow-Headers: ${needed.join(', ')}` });
  }
  const exposed = listIn(actual.headers, 'access-control-expose-headers');
  if (hasSession && !exposed.has('mcp-session-id') && !exposed.has('*')) {
    const why = 'A page cannot read the session id that it is given.';
    problems.push({ why, add: 'Access-Control-Expose-Headers: Mcp-Session-Id' });
  }
  return problems;
}

function allowsOrigin(headers: Headers, origin: string): boolean {
  const allowed = headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

function listIn(headers: Headers, name: string): ReadonlySet<string> {
  return new Set((headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase()));
}
