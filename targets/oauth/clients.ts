/** Who may ask for tokens: clients that registered themselves, and clients whose id is the address of their metadata. */
import { z } from 'zod';

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly method: AuthMethod;
  /** Only a client that registered with a secret has to show it. */
  readonly secret?: string;
}

const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const;
type AuthMethod = (typeof AUTH_METHODS)[number];

const Metadata = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.url()).min(1),
  token_endpoint_auth_method: z.enum(AUTH_METHODS).default('client_secret_basic'),
});

const Document = Metadata.extend({
  client_id: z.string(),
  // A public document cannot hold a secret (Client ID Metadata Document, 4.1).
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
});

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export class ClientRegistry {
  /** Appended to secrets: they may hold any printable character (RFC 6749, appendix A.2), and clients type others. */
  secretSuffix = '';
  readonly #registered = new Map<string, OAuthClient>();

  /** Dynamic registration (RFC 7591). */
  register(body: unknown): { status: number; answer: object } {
    const parsed = Metadata.safeParse(body);
    if (!parsed.success) {
      const error_description = z.prettifyError(parsed.error);
      return { status: 400, answer: { error: 'invalid_client_metadata', error_description } };
    }
    const { redirect_uris, client_name = 'An unnamed client', token_endpoint_auth_method } = parsed.data;
    const secret =
      token_endpoint_auth_method === 'none' ? undefined : crypto.randomUUID() + this.secretSuffix;
    const id = crypto.randomUUID();
    this.#registered.set(id, {
      id,
      name: client_name,
      redirectUris: redirect_uris,
      method: token_endpoint_auth_method,
      ...(secret && { secret }),
    });
    const answer = {
      ...parsed.data,
      client_id: id,
      client_id_issued_at: Math.floor(Date.now() / 1000),
      ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    };
    return { status: 201, answer };
  }

  async find(id: string): Promise<OAuthClient | undefined> {
    return this.#registered.get(id) ?? (isDocumentAddress(id) ? fetchDocument(id) : undefined);
  }

  clear(): void {
    this.#registered.clear();
  }
}

/** A real server takes https addresses only; this one stays on its machine, so it takes loopback ones only. */
function isDocumentAddress(id: string): boolean {
  try {
    const { hostname, pathname } = new URL(id);
    return LOOPBACK.has(hostname) && pathname !== '/';
  } catch {
    return false;
  }
}

async function fetchDocument(id: string): Promise<OAuthClient | undefined> {
  try {
    const response = await fetch(id, { headers: { accept: 'application/json' }, redirect: 'error' });
    const parsed = Document.safeParse(await response.json());
    if (!response.ok || !parsed.success || parsed.data.client_id !== id) return undefined;
    const { client_name: name = id, redirect_uris: redirectUris } = parsed.data;
    return { id, name, redirectUris, method: 'none' };
  } catch {
    return undefined;
  }
}
