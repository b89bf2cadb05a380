/** Who sent a token request: by secret, shown in the way that the client registered for, else by its id alone. */
import type { ClientRegistry, OAuthClient } from './clients.ts';

export async function authenticate(
  request: Request,
  form: URLSearchParams,
  clients: ClientRegistry,
): Promise<OAuthClient | undefined> {
  const basic = readBasic(request.headers.get('authorization'));
  const id = basic?.id ?? form.get('client_id') ?? '';
  const client = await clients.find(id);
  if (client?.secret === undefined) return client;
  const shown = client.method === 'client_secret_basic' ? basic?.secret : form.get('client_secret');
  return client.secret === shown ? client : undefined;
}

function readBasic(header: string | null): { id: string; secret: string } | undefined {
  const encoded = /^Basic (.+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    const [id = '', secret = ''] = atob(encoded).split(':').map(formDecode);
    return { id, secret };
  } catch {
    return undefined;
  }
}

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
const formDecode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
