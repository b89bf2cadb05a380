/** Why a server does not answer. A browser hides the reason behind one `TypeError`; this finds it out. */
import { isLocal, isLoopback } from '../../base/localNetwork.ts';
import type { Failure } from '../../log/connectionState.ts';
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
  if (!isOnline && !isLoopback(target)) {
    return {
      why: 'This computer is offline.',
      reason: 'offline',
      fix: 'Connect again when the network is back.',
    };
  }
  if (pageOrigin.startsWith('https:') && target.protocol === 'http:' && !isLoopback(target)) {
    return {
      why: 'A page under https may not talk to a server under http.',
      reason: 'mixed-content',
      fix: 'Give the server an https address, or open Reprise on your own computer with npm start.',
    };
  }
  const forbidden = await localNetworkTrouble(patient, target);
  if (forbidden) return forbidden;
  if (await answers(url, fetch)) {
    return blockedWords(await findBlocked(url, fetch, patient.headerNames), patient);
  }
  return (await otherScheme(target, pageOrigin, fetch)) ?? unreachable(target);
}

/** From Chrome 142 on, a page from elsewhere needs a permission to reach this computer, or the network around it. */
async function localNetworkTrouble(
  { pageOrigin, localNetwork }: Patient,
  target: URL,
): Promise<Failure | undefined> {
  if (!isLocal(target) || isLocal(new URL(pageOrigin))) return undefined;
  if (pageOrigin.startsWith('http:')) {
    return {
      why: `A page under http from elsewhere may not reach ${target.host} on the local network.`,
      reason: 'local-network',
      fix: 'Open Reprise under https, or on your own computer with npm start.',
    };
  }
  if ((await localNetwork(target)) !== 'denied') return undefined;
  return {
    why: `This browser does not let the page reach ${target.host} on the local network.`,
    reason: 'local-network',
    fix: 'Allow “Local network access” for this page in the site settings (left of the address), then connect again. Or open Reprise on your own computer with npm start.',
  };
}

function blockedWords(blocked: Blocked, { pageOrigin, headerNames }: Patient): Failure {
  const paste = corsHeaders(pageOrigin, headerNames);
  return {
    why: `The server answers, but it does not allow this page to read the answer (CORS). ${whatIsBlocked(blocked)}`,
    reason: 'cors',
    fix: `Let the server answer OPTIONS, and every other request, with these headers. The first is Access-Control-Allow-Origin: ${pageOrigin}`,
    paste,
  };
}

function whatIsBlocked(blocked: Blocked): string {
  switch (blocked.name) {
    case 'answers':
      return 'Its responses carry no Access-Control-Allow-Origin for this page.';
    case 'post-answers':
      return 'Its answers to GET can be read, those to POST carry no Access-Control-Allow-Origin for this page.';
    case 'preflight':
      return 'Its answers can be read, but the browser’s question before them (OPTIONS) is not answered with 2xx and Access-Control-Allow-Headers.';
    case 'headers':
      return `Its answer to OPTIONS does not name ${blocked.headers.join(', ')} in Access-Control-Allow-Headers.`;
    case 'nothing':
      return 'Each part can be read by itself: it may have been an interruption, or POST is not in Access-Control-Allow-Methods.';
  }
}

/** Somebody who speaks https to a server of http, or the other way round, gets no answer either. */
async function otherScheme(target: URL, pageOrigin: string, fetch: Fetch): Promise<Failure | undefined> {
  const other = new URL(target);
  other.protocol = target.protocol === 'https:' ? 'http:' : 'https:';
  const isMixed = pageOrigin.startsWith('https:') && other.protocol === 'http:' && !isLoopback(other);
  if (target.port === '' || isMixed || !(await answers(other.href, fetch))) return undefined;
  return {
    why: `${target.host} speaks ${other.protocol.slice(0, -1)}, not ${target.protocol.slice(0, -1)}.`,
    reason: 'wrong-scheme',
    fix: `Connect to ${other.href}`,
  };
}

function unreachable(target: URL): Failure {
  if (target.protocol === 'http:') {
    return {
      why: `No server answers at ${target.host}.`,
      reason: 'unreachable',
      fix: 'Start the server, or check the host and the port.',
    };
  }
  return {
    why: `No server answers at ${target.host}, or its certificate is not trusted. A page is not told which.`,
    reason: 'unreachable',
    fix: `Open ${target.origin} in a new tab. If the browser warns of the certificate, give the server one that this computer trusts (mkcert makes one for localhost), or use http on localhost. If nothing answers there either, start the server, or check the host and the port.`,
  };
}
