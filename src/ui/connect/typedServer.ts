/** What a person types about a server beside its address. */
import { err, ok, type Result } from '../../base/result.ts';
import type { ConnectOptions, Credentials, Revision, ServerSettings } from '../../client/inspector/index.ts';
import type { KeepSecrets } from '../../storage/credentialPlace.ts';
import { parseHeaderLines } from './headerLines.ts';

export interface TypedServer {
  readonly bearer: string;
  readonly headerLines: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutSeconds: string;
  readonly revision: Revision;
  readonly keepSecrets: KeepSecrets;
}

const MAX_SECONDS = 30 * 60;

export function typedFrom(settings: ServerSettings, credentials: Credentials): TypedServer {
  const { bearer = '', headers = {}, clientId = '', clientSecret = '' } = credentials;
  return {
    bearer,
    headerLines: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    clientId,
    clientSecret,
    timeoutSeconds: settings.timeoutMs === undefined ? '' : String(settings.timeoutMs / 1000),
    revision: settings.revision ?? 'auto',
    keepSecrets: settings.keepSecrets ?? 'browser',
  };
}

export function readTyped(typed: TypedServer): Result<Omit<ConnectOptions, 'name'>, string> {
  const { bearer, clientId, clientSecret, revision, keepSecrets } = typed;
  const headers = parseHeaderLines(typed.headerLines);
  if (!headers.ok) return headers;
  const seconds = typed.timeoutSeconds.trim();
  const timeoutMs = Number(seconds) * 1000;
  if (seconds !== '' && !(timeoutMs >= 1000 && timeoutMs <= MAX_SECONDS * 1000)) {
    return err(`Timeout must be from 1 to ${MAX_SECONDS} seconds.`);
  }
  return ok({
    ...(bearer !== '' && { bearer }),
    ...(clientId !== '' && { clientId }),
    ...(clientSecret !== '' && { clientSecret }),
    ...(Object.keys(headers.value).length > 0 && { headers: headers.value }),
    ...(seconds !== '' && { timeoutMs }),
    revision,
    keepSecrets,
  });
}
