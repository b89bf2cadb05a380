/** `fetch` as a page has it: what CORS doesn't allow isn't sent, or can't be read. Node itself enforces none of it. */

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Fetch Standard, "CORS-safelisted response-header name". */
const SAFE_RESPONSE_HEADERS = [
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
];
const SAFE_REQUEST_HEADERS = new Set(['accept', 'accept-language', 'content-language']);

export function corsFetch(origin: string): Fetch {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    await preflight(String(url), init, headers, origin);
    headers.set('origin', origin);
    const response = await fetch(url, { ...init, headers });
    if (!isAllowed(response, origin)) throw blocked();
    const readable = [...SAFE_RESPONSE_HEADERS, ...listOf(response, 'access-control-expose-headers')];
    const shown = new Headers([...response.headers].filter(([name]) => readable.includes(name)));
    return new Response(response.body, { status: response.status, headers: shown });
  };
}

async function preflight(url: string, init: RequestInit, headers: Headers, origin: string): Promise<void> {
  const unsafe = [...headers.keys()].filter((name) => !SAFE_REQUEST_HEADERS.has(name));
  const method = init.method ?? 'GET';
  if (unsafe.length === 0 && ['GET', 'HEAD', 'POST'].includes(method)) return;
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': unsafe.join(', '),
    },
    signal: init.signal ?? null,
  });
  const allowed = listOf(response, 'access-control-allow-headers');
  const allowsMethod = listOf(response, 'access-control-allow-methods').includes(method.toLowerCase());
  if (!response.ok || !isAllowed(response, origin) || !allowsMethod) throw blocked();
  if (unsafe.some((name) => !allowed.includes(name))) throw blocked();
}

function isAllowed({ headers }: Response, origin: string): boolean {
  return ['*', origin].includes(headers.get('access-control-allow-origin') ?? '');
}

function listOf({ headers }: Response, name: string): readonly string[] {
  return (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/);
}

const blocked = () => new TypeError('Failed to fetch');
