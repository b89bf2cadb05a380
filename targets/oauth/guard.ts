/** The resource server's side: which requests a token lets through, and what the others are told. */
import { isRecord } from '../core/messages.ts';
import { SCOPES, type AuthorizationServer } from './authorizationServer.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** RFC 9728. Only the scope that everybody needs is named: more is asked for when it is needed (step-up). */
export function resourceMetadata(request: Request, server: AuthorizationServer): Response | undefined {
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || (pathname !== WELL_KNOWN && pathname !== `${WELL_KNOWN}/mcp`))
    return undefined;
  return Response.json({
    resource: `${origin}/mcp`,
    authorization_servers: [server.issuer(origin)],
    scopes_supported: [SCOPES.basic],
    bearer_methods_supported: ['header'],
  });
}

/** The refusal of a request to the MCP endpoint; `undefined` lets it in. */
export async function guard(request: Request, server: AuthorizationServer): Promise<Response | undefined> {
  const { origin } = new URL(request.url);
  const refuse = (status: number, scopes: readonly string[], error?: string) => {
    const details = {
      ...(error && { error }),
      scope: scopes.join(' '),
      resource_metadata: `${origin}${WELL_KNOWN}/mcp`,
    };
    const fields = Object.entries(details).map(([name, value]) => `${name}="${value}"`);
    return Response.json(
      { error: error ?? 'unauthorized' },
      { status, headers: { 'www-authenticate': `Bearer ${fields.join(', ')}` } },
    );
  };
  const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (token === undefined) return refuse(401, [SCOPES.basic]);
  const access = server.tokens.check(token);
  // A token for another resource is no token (MCP 2025-11-25, "Token Audience Binding and Validation").
  if (access.kind !== 'valid' || access.grant.resource !== `${origin}/mcp`) {
    return refuse(401, [SCOPES.basic], 'invalid_token');
  }
  const needed = await neededScopes(request);
  const missing = needed.filter((scope) => !access.grant.scopes.includes(scope));
  // What is missing, and no more: that no right is lost is the client's business (MCP 2025-11-25, step-up).
  return missing.length === 0 ? undefined : refuse(403, missing, 'insufficient_scope');
}

/** The tool `big` needs a scope of its own. */
async function neededScopes(request: Request): Promise<string[]> {
  if (request.method !== 'POST') return [SCOPES.basic];
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  const params = isRecord(body) && body['method'] === 'tools/call' ? body['params'] : undefined;
  return isRecord(params) && params['name'] === 'big' ? [SCOPES.basic, SCOPES.big] : [SCOPES.basic];
}
