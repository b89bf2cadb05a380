/** Why a server does not answer. A browser hides the reason behind one `TypeError`; this finds it out. */
import type { Fetch } from '../wire/recordingFetch.ts';

export interface Diagnosis {
  readonly why: string;
  readonly fix: string;
}

const CORS_FIX =
  'Let the server answer OPTIONS and every other request with: ' +
  'Access-Control-Allow-Origin: <this page>, ' +
  'Access-Control-Allow-Methods: GET, POST, DELETE, ' +
  'Access-Control-Allow-Headers: content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id, ' +
  'Access-Control-Expose-Headers: Mcp-Session-Id';

export async function diagnose(
  url: string,
  pageOrigin: string,
  fetch: Fetch,
  isOnline: boolean,
): Promise<Diagnosis> {
  const target = new URL(url);
  if (!isOnline && !isLoopback(target)) {
    return { why: 'This computer is offline.', fix: 'Connect again when the network is back.' };
  }
  if (pageOrigin.startsWith('https:') && target.protocol === 'http:' && !isLoopback(target)) {
    return {
      why: 'A page under https may not talk to a server under http.',
      fix: 'Give the server an https address, or open Reprise on your own computer with npm start.',
    };
  }
  if (await answersAtAll(url, fetch)) {
    return {
      why: 'The server answers, but it does not allow this page to read the answer (CORS).',
      fix: CORS_FIX.replace('<this page>', pageOrigin),
    };
  }
  return {
    why: `No server answers at ${target.host}.`,
    fix: 'Start the server, or check the host and the port.',
  };
}

/** An answer that may not be read is still an answer. */
async function answersAtAll(url: string, fetch: Fetch): Promise<boolean> {
  const abort = new AbortController();
  try {
    await fetch(url, { mode: 'no-cors', method: 'GET', signal: abort.signal });
    return true;
  } catch {
    return false;
  } finally {
    abort.abort();
  }
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
