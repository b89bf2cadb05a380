/** Who sent a token request: by secret if the client has one, else by its id alone. */
import type { ClientRegistry, OAuthClient } from './clients.ts';

export async function authenticate(
  request: Request,
  form: URLSearchParams,
  clients: ClientRegistry,
): Promise<OAuthClient | undefined> {
  const basic = readBasic(request.headers.get('authorization'));
  const id = basic?.id ?? form.get('client_id') ?? '';
  const secret = basic?.secret ?? form.get('client_secret') ?? undefined;
  const client = await clients.find(id);
  return client?.secret === undefined || client.secret === secret ? client : undefined;
}

function readBasic(header: string | null): { id: string; secret: string } | undefined {
  const encoded = /^Basic (.+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    const [id = '', secret = ''] = atob(encoded).split(':').map(decodeURIComponent);
    return { id, secret };
  } catch {
    return undefined;
  }
}
