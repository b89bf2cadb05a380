/** How a client proves who it is at the token and revocation endpoints (RFC 6749, 2.3.1; RFC 7009, 2.1). */
import {
  selectClientAuthMethod,
  type AuthorizationServerMetadata,
  type OAuthClientInformationMixed,
} from '@modelcontextprotocol/client';
import { assertNever } from '../base/assertNever.ts';
import { stringField } from '../base/json.ts';
import { ReasonError } from '../log/reasons/reasonError.ts';

export function authenticateClient(
  client: OAuthClientInformationMixed,
  metadata: AuthorizationServerMetadata | undefined,
  headers: Headers,
  params: URLSearchParams,
): void {
  const { client_id: id } = client;
  const secret = stringField(client, 'client_secret');
  // Where the server does not say how, in a header (RFC 8414, 2).
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  switch (method) {
    case 'client_secret_basic':
      if (secret === undefined) throw new ReasonError({ code: 'client-secret-needed' });
      params.delete('client_id');
      headers.set('authorization', `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`);
      return;
    case 'client_secret_post':
      params.set('client_id', id);
      if (secret !== undefined) params.set('client_secret', secret);
      return;
    case 'none':
      params.set('client_id', id);
      return;
    default:
      assertNever(method);
  }
}

/** Id and secret are form-encoded first: they may hold colons and characters that `btoa` refuses. */
const formEncode = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);
