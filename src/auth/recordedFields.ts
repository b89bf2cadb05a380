/**
 * Which parts of an OAuth exchange may be recorded. Allow lists: whatever is not on them may be a secret, whatever it is
 * called. Pure.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import type { AuthStep } from '../log/entry/entry.ts';
import { HIDDEN } from '../base/hidden.ts';
import { isSecretName, looksLikeSecret } from './findSecrets.ts';

/** The body of a response, as far as it was understood. */
export interface ReadBody {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Only of a JSON object. */
  readonly fields?: JsonObject;
}

const SENT = new Set([
  ...['grant_type', 'response_type', 'client_id', 'redirect_uri', 'scope', 'resource', 'prompt'],
  ...['code_challenge_method', 'token_type_hint', 'iss', 'error', 'error_description', 'error_uri'],
  ...['client_name', 'redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method'],
  'application_type',
]);
const ANSWERED = new Set([
  ...['token_type', 'expires_in', 'scope', 'client_id', 'error', 'error_description', 'error_uri'],
]);
/** Fields of public documents (RFC 8414, RFC 9728, OpenID Connect Discovery). */
const METADATA =
  /(_supported|_endpoint|_uri|_documentation|_required|_access_tokens)$|^(issuer|resource|resource_name|authorization_servers|error|error_description)$/;
/** A token in the place of a name has digits, or is longer. */
const PLAIN_NAME = /^[a-z][a-z_-]{0,39}$/i;
const MAX_DEPTH = 8;

export function parseBody(text: string, contentType: string | null): ReadBody {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType ?? '')?.[0] ?? 'no content type';
  const sizeBytes = new TextEncoder().encode(text).length;
  const fields = parseObject(text);
  return { contentType: type.toLowerCase(), sizeBytes, ...(fields && { fields }) };
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What was sent: the names, and the values that are no secret. */
export function recordSent(fields: Iterable<readonly [string, unknown]>): Record<string, string> {
  const safe = [...fields].map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return [safeName(name), SENT.has(name) ? text : HIDDEN] as const;
  });
  return Object.fromEntries(safe);
}

/** Everything that was sent and may not be shown is protected against an echo. */
export function secretsSent(fields: Iterable<readonly [string, unknown]>): string[] {
  return [...fields].flatMap(([name, value]) =>
    typeof value === 'string' && !SENT.has(name) ? [value] : [],
  );
}

/** What was answered, as JSON text. A body that was not understood is told by its type and size alone. */
export function recordAnswer(step: AuthStep, { contentType, sizeBytes, fields }: ReadBody): string {
  if (!fields) return JSON.stringify({ contentType, sizeBytes });
  const isDocument = step === 'resource' || step === 'issuer';
  const body = isDocument ? safeDocument(fields, 0) : safeCredentials(fields);
  return JSON.stringify({ contentType, sizeBytes, body });
}

function safeCredentials(fields: JsonObject): JsonObject {
  return mapFields(fields, (name, value) => (ANSWERED.has(name) && isScalar(value) ? value : HIDDEN));
}

function safeDocument(fields: JsonObject, depth: number): JsonObject {
  return mapFields(fields, (name, value) => safeLeaf(name, value, depth));
}

function safeLeaf(name: string, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item: unknown) => safeLeaf(name, item, depth + 1));
  if (isObject(value)) return safeDocument(value, depth + 1);
  if (typeof value !== 'string' || (METADATA.test(name) && depth < 2)) return value;
  return isSecretName(name) || looksLikeSecret(value) ? HIDDEN : value;
}

/** By `Object.fromEntries`: a field named `__proto__` is a field. */
function mapFields(fields: JsonObject, safe: (name: string, value: unknown) => unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [safeName(name), safe(name, value)]),
  );
}

const safeName = (name: string): string => (PLAIN_NAME.test(name) ? name : HIDDEN);

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
