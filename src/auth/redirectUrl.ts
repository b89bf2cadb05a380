/**
 * Where an authorization server sends the browser back to. A server that doesn't promise `iss` gets a redirect URL of its
 * own, so that the response of another one is noticed (RFC 9700, 4.4.2.2).
 */
import type { AuthorizationServerMetadata, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import { isDocument, type KnownClient } from './knownClient.ts';

const ISSUER_PARAMETER = 'as';

export interface ClientFacts {
  readonly known: KnownClient;
  readonly clientMetadataUrl?: string | undefined;
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** What is kept for this issuer. */
  readonly stored: StoredOAuthClientInformation | undefined;
  /** The issuer that a typed client ID was first used with. */
  readonly bound: string | undefined;
  readonly issuer: string;
}

/** `fixed`: somebody has registered the redirect URL, so it can't be chosen. */
export type ClientKind = 'fixed' | 'dynamic';

export function clientKind({
  known,
  clientMetadataUrl,
  metadata,
  stored,
  bound,
  issuer,
}: ClientFacts): ClientKind {
  const isTyped = known.clientId !== undefined && !isDocument(known);
  if (isTyped && (bound === undefined || bound === issuer)) return 'fixed';
  if (stored) return redirectUrisOf(stored) ? 'dynamic' : 'fixed';
  const hasDocument = isDocument(known) || clientMetadataUrl !== undefined;
  return hasDocument && metadata?.client_id_metadata_document_supported === true ? 'fixed' : 'dynamic';
}

export function promisesIss(metadata: AuthorizationServerMetadata | undefined): boolean {
  return metadata?.authorization_response_iss_parameter_supported === true;
}

export async function redirectUrlFor(base: string, kind: ClientKind, facts: ClientFacts): Promise<string> {
  if (kind === 'fixed' || promisesIss(facts.metadata)) return base;
  const url = new URL(base);
  url.searchParams.set(ISSUER_PARAMETER, await digest(facts.issuer));
  return url.href;
}

/** Did the response come to the redirect URL that the login was begun with? */
export function isSentTo(redirectUrl: string, response: URLSearchParams): boolean {
  return new URL(redirectUrl).searchParams.get(ISSUER_PARAMETER) === response.get(ISSUER_PARAMETER);
}

export function redirectUrisOf(client: StoredOAuthClientInformation): readonly string[] | undefined {
  return 'redirect_uris' in client && Array.isArray(client.redirect_uris) ? client.redirect_uris : undefined;
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
