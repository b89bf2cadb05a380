/** Where a login leads and what speaks against it, told before the click. Pure. */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { promisesIss, type ClientKind } from './redirectUrl.ts';

export type LoginWay = 'redirect' | 'popup';

/** What the user saw when they clicked. */
export interface Agreed {
  readonly host: string;
  readonly withoutPkce?: true;
}

export type LoginWarning =
  /** The login page is not at the server's host. */
  | 'other-host'
  | 'plain-http'
  /** The response can't be told from that of another authorization server (RFC 9700, 4.4). */
  | 'mix-up';

export type LoginPlan =
  /** The metadata is at a host that the user has to agree to first. */
  | { readonly name: 'metadata'; readonly host: string; readonly warnings: readonly LoginWarning[] }
  | {
      readonly name: 'login';
      readonly host: string;
      readonly issuer: string;
      readonly warnings: readonly LoginWarning[];
      /** MCP 2025-11-25: without PKCE in the metadata, clients MUST refuse to proceed. */
      readonly refusal?: 'no-pkce';
      /** A client that was registered by hand, so that the bar can name who gets it. */
      readonly clientId?: string;
    };

export interface PlanFacts {
  readonly serverUrl: string;
  readonly authorizationServerUrl: string;
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly kind: ClientKind;
  readonly clientId?: string | undefined;
}

export function planMetadata(serverUrl: string, metadataUrl: string): LoginPlan {
  const url = new URL(metadataUrl);
  return { name: 'metadata', host: url.host, warnings: warningsAbout(url, serverUrl) };
}

export function planLogin({
  serverUrl,
  authorizationServerUrl,
  metadata,
  kind,
  clientId,
}: PlanFacts): LoginPlan {
  // Without metadata the SDK takes the default endpoint of 2025-03-26.
  const page = new URL(metadata?.authorization_endpoint ?? new URL('/authorize', authorizationServerUrl));
  const isMixable = kind === 'fixed' && !promisesIss(metadata);
  return {
    name: 'login',
    host: page.host,
    issuer: metadata?.issuer ?? authorizationServerUrl,
    warnings: [...warningsAbout(page, serverUrl), ...(isMixable ? (['mix-up'] as const) : [])],
    ...(lacksPkce(metadata) && { refusal: 'no-pkce' }),
    ...(kind === 'fixed' && clientId !== undefined && { clientId }),
  };
}

/** Metadata that was read has to list S256; where there is none, there is nothing to refuse. */
function lacksPkce(metadata: AuthorizationServerMetadata | undefined): boolean {
  return metadata !== undefined && metadata.code_challenge_methods_supported?.includes('S256') !== true;
}

function warningsAbout(page: URL, serverUrl: string): LoginWarning[] {
  // On one machine, another port is another program.
  const { host, hostname } = new URL(serverUrl);
  const isSameHost = page.host === host || page.hostname.endsWith(`.${hostname}`);
  return [
    ...(isSameHost ? [] : (['other-host'] as const)),
    ...(page.protocol === 'https:' ? [] : (['plain-http'] as const)),
  ];
}
