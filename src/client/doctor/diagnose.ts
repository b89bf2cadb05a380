/** Why a server does not answer. A browser hides the reason behind one `TypeError`; this finds it out. */
import { isLocal, isLoopback } from '../../base/localNetwork.ts';
import type { Failure } from '../../log/state/connectionState.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import { corsHeaders, findBlocked, type Blocked } from './cors.ts';
import type { AskPermission } from './localNetwork.ts';
import { answers } from './probe.ts';

export interface Patient {
  readonly url: string;
  readonly pageOrigin: string;
  readonly fetch: Fetch;
  readonly isOnline: boolean;
  /** The names of the headers that go with every request beside the protocol's own. */
  readonly headerNames: readonly string[];
  readonly localNetwork: AskPermission;
}

export async function diagnose(patient: Patient): Promise<Failure> {
  const { url, pageOrigin, fetch, isOnline } = patient;
  const target = new URL(url);
  if (!isOnline && !isLoopback(target)) return { reason: { code: 'offline' } };
  if (pageOrigin.startsWith('https:') && target.protocol === 'http:' && !isLoopback(target)) {
    return { reason: { code: 'mixed-content' } };
  }
  const forbidden = await localNetworkTrouble(patient, target);
  if (forbidden) return { reason: forbidden };
  if (await answers(url, fetch)) {
    return blockedBy(await findBlocked(url, fetch, patient.headerNames), patient);
  }
  return { reason: (await otherScheme(target, pageOrigin, fetch)) ?? unreachable(target) };
}

/** From Chrome 142 on, a page from elsewhere needs a permission to reach this computer, or the network around it. */
async function localNetworkTrouble(
  { pageOrigin, localNetwork }: Patient,
  target: URL,
): Promise<Reason | undefined> {
  if (!isLocal(target) || isLocal(new URL(pageOrigin))) return undefined;
  const { host } = target;
  if (pageOrigin.startsWith('http:')) return { code: 'local-network', how: 'http', host };
  if ((await localNetwork(target)) !== 'denied') return undefined;
  return { code: 'local-network', how: 'denied', host };
}

function blockedBy(blocked: Blocked, { pageOrigin, headerNames }: Patient): Failure {
  const names = blocked.name === 'headers' ? { names: blocked.headers } : {};
  return {
    reason: { code: 'cors', how: blocked.name, origin: pageOrigin, ...names },
    paste: corsHeaders(pageOrigin, headerNames),
  };
}

/** Somebody who speaks https to a server of http, or the other way round, gets no answer either. */
async function otherScheme(target: URL, pageOrigin: string, fetch: Fetch): Promise<Reason | undefined> {
  const other = new URL(target);
  other.protocol = target.protocol === 'https:' ? 'http:' : 'https:';
  const isMixed = pageOrigin.startsWith('https:') && other.protocol === 'http:' && !isLoopback(other);
  if (target.port === '' || isMixed || !(await answers(other.href, fetch))) return undefined;
  return { code: 'wrong-scheme', how: schemeOf(other), host: target.host, url: other.href };
}

function unreachable(target: URL): Reason {
  const { host, origin } = target;
  return { code: 'unreachable', how: schemeOf(target), host, origin };
}

const schemeOf = ({ protocol }: URL): 'http' | 'https' => (protocol === 'https:' ? 'https' : 'http');
