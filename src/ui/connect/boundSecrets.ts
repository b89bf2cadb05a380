/** Credentials that are typed belong to the origin of the address beside them: another origin clears them. */
import type { TypedServer } from './typedServer.ts';

export interface BoundServer extends TypedServer {
  /** The origin that the credentials were typed or stored for; `undefined` before there is an address. */
  readonly secretsFor?: string | undefined;
  /** The origin whose credentials were cleared. */
  readonly clearedFrom?: string | undefined;
}

type Secrets = Pick<TypedServer, 'bearer' | 'headerLines' | 'clientId' | 'clientSecret'>;

const NO_SECRETS: Secrets = { bearer: '', headerLines: '', clientId: '', clientSecret: '' };

export function secretsOf({ bearer, headerLines, clientId, clientSecret }: Secrets): Secrets {
  return { bearer, headerLines, clientId, clientSecret };
}

export function hasSecrets(typed: Secrets): boolean {
  return Object.values(secretsOf(typed)).some((text) => text !== '');
}

/** Something was typed while the address led to this origin. */
export function typeAt<T extends BoundServer>(typed: T, change: Partial<T>, origin: string | undefined): T {
  const isSecret = Object.keys(NO_SECRETS).some((name) => name in change);
  return { ...typed, ...change, ...(isSecret && { secretsFor: origin, clearedFrom: undefined }) };
}

/** The address was typed to its end: credentials that were typed before it are for its origin. */
export function bindTo<T extends BoundServer>(typed: T, origin: string | undefined): T {
  return typed.secretsFor === undefined && hasSecrets(typed) ? { ...typed, secretsFor: origin } : typed;
}

/** The address leads to this origin now. While it is half typed, nothing changes. */
export function moveTo<T extends BoundServer>(typed: T, origin: string | undefined): T {
  const { secretsFor } = typed;
  if (origin === undefined || secretsFor === undefined || secretsFor === origin) return typed;
  if (!hasSecrets(typed)) return { ...typed, secretsFor: undefined };
  return { ...typed, ...NO_SECRETS, secretsFor: undefined, clearedFrom: secretsFor };
}
