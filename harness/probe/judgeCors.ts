/** What a browser makes of a server's CORS headers. Pure: one missing header, one test. */

/** What a server said when it was asked by itself whether a page may send this header. */
export type AllowsAlone = (header: string) => boolean;

export interface CorsAnswers {
  readonly origin: string;
  /** The headers that a page must be able to send to this server. */
  readonly needed: readonly string[];
  readonly hasSession: boolean;
  readonly preflight: { readonly status: number; readonly headers: Headers };
  readonly actual: { readonly status: number; readonly headers: Headers };
}

export interface CorsProblem {
  readonly why: string;
  /** The header line to add. */
  readonly add: string;
  /** Which of the two answers shows it. */
  readonly in: 'preflight' | 'actual';
}

const ALLOW_ORIGIN = { add: "Access-Control-Allow-Origin: * (or your page's origin)" };

/**
 * `allowsAlone`: some middlewares allow nothing when one header of a preflight is not allowed, so each header that is
 * missing is asked for by itself before it is blamed.
 */
export function judgeCors(
  answers: CorsAnswers,
  allowsAlone: AllowsAlone = () => false,
): readonly CorsProblem[] {
  const { origin, needed, hasSession, preflight, actual } = answers;
  // Without an Origin header it was reached before, so it is the origin that is rejected.
  if (actual.status === 403) {
    const why = `The server rejects requests from ${origin} (HTTP 403).`;
    return [{ why, add: "your page's origin in the list of allowed origins", in: 'actual' }];
  }
  const problems: CorsProblem[] = [];
  if (preflight.status < 200 || preflight.status > 299) {
    const why = `The preflight request (OPTIONS) returns HTTP ${preflight.status}.`;
    problems.push({ why, add: 'a 204 response to OPTIONS, with the headers below', in: 'preflight' });
  }
  if (!allowsOrigin(preflight.headers, origin)) {
    const why = "The preflight response doesn't allow the page's origin.";
    problems.push({ why, ...ALLOW_ORIGIN, in: 'preflight' });
  }
  if (!allowsOrigin(actual.headers, origin)) {
    const why = "The response doesn't allow the page's origin.";
    problems.push({ why, ...ALLOW_ORIGIN, in: 'actual' });
  }
  const methods = listIn(preflight.headers, 'access-control-allow-methods');
  if (hasSession && !methods.has('delete') && !methods.has('*')) {
    const why = "DELETE isn't allowed, so a page can't end its session.";
    problems.push({ why, add: 'Access-Control-Allow-Methods: GET, POST, DELETE', in: 'preflight' });
  }
  const missing = missingHeaders(needed, preflight.headers).filter((name) => !allowsAlone(name));
  if (missing.length > 0) {
    const why = `Headers not allowed: ${missing.join(', ')}.`;
    problems.push({ why, add: `Access-Control-Allow-Headers: ${needed.join(', ')}`, in: 'preflight' });
  }
  const exposed = listIn(actual.headers, 'access-control-expose-headers');
  if (hasSession && !exposed.has('mcp-session-id') && !exposed.has('*')) {
    const why = "A page can't read its session ID.";
    problems.push({ why, add: 'Access-Control-Expose-Headers: Mcp-Session-Id', in: 'actual' });
  }
  return problems;
}

/** The headers that a preflight does not allow. */
export function missingHeaders(needed: readonly string[], headers: Headers): readonly string[] {
  const allowed = listIn(headers, 'access-control-allow-headers');
  return needed.filter((name) => !allowed.has(name) && (!allowed.has('*') || name === 'authorization'));
}

function allowsOrigin(headers: Headers, origin: string): boolean {
  const allowed = headers.get('access-control-allow-origin');
  return allowed === '*' || allowed === origin;
}

function listIn(headers: Headers, name: string): ReadonlySet<string> {
  return new Set((headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase()));
}
