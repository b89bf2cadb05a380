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
  const named = ['code', 'state', 'iss', 'as', 'error', 'error_description', 'error_uri', 'session_state'];
  for (const name of named) clean.searchParams.delete(name);
  return clean.href;
}
