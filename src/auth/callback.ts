/** The answer of an authorization server, as it stands in the address that it sends the browser back to. */
export interface Callback {
  readonly state: string;
  readonly parameters: URLSearchParams;
}

export function readCallback({ searchParams }: URL): Callback | undefined {
  const state = searchParams.get('state');
  if (state === null || (!searchParams.has('code') && !searchParams.has('error'))) return undefined;
  return { state, parameters: new URLSearchParams(searchParams) };
}

/** The same address without the answer: a code must not stay where it is shown, bookmarked or shared. */
export function withoutCallback(url: URL): string {
  const clean = new URL(url);
  for (const name of ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'session_state']) {
    clean.searchParams.delete(name);
  }
  return clean.href;
}
