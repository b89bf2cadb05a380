/** Whose link it was that added a server. The bridge serves the app from its own origin, and puts its token into the URL. */
import type { AddedBy } from '../client/serverRecord.ts';

export function addedByLink(url: string, pageOrigin: string): AddedBy {
  const server = URL.parse(url);
  return server?.origin === pageOrigin && server.searchParams.has('token') ? 'bridge' : 'link';
}
