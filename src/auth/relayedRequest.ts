/** What a page and the site's worker say to each other about a request that must outlive the page. */
import { asText } from '../base/asText.ts';
import { isObject, numberField, stringField } from '../base/json.ts';
import { isSecureUrl } from './webUrl.ts';

/** The first message, with a port. Only a worker that knows it answers `READY` there, and only then is anything sent. */
export const CARRY = 'reprise:carry';
export const READY = 'reprise:ready';

export interface RelayedRequest {
  /** Where in the vault the answer waits for a page that was loaded again. */
  readonly place: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CarriedAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The answer is larger than this, and was not read. */
export interface CarriedRefusal {
  readonly limitBytes: number;
}

export function readRequest(value: unknown): RelayedRequest | undefined {
  const [place, url, body] = [
    stringField(value, 'place'),
    stringField(value, 'url'),
    stringField(value, 'body'),
  ];
  const headers = isObject(value) ? value['headers'] : undefined;
  if (place === undefined || url === undefined || body === undefined || !isObject(headers)) return undefined;
  // Any page of the origin can ask. The answer to a refresh is written to its own place, and to no other secret's.
  const target = URL.parse(url);
  if (!place.endsWith('/carried') || !target || !isSecureUrl(target)) return undefined;
  const texts = Object.entries(headers).map(([name, text]) => [name, asText(text)] as const);
  return { place, url, body, headers: Object.fromEntries(texts) };
}

export function readAnswer(value: unknown): CarriedAnswer | undefined {
  const [status, body] = [numberField(value, 'status'), stringField(value, 'body')];
  if (status === undefined || body === undefined) return undefined;
  return { status, body, type: stringField(value, 'type') ?? '' };
}

/** The next message of a port; `undefined` if none comes in time. */
export function nextMessage(port: MessagePort, withinMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), withinMs);
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      clearTimeout(timer);
      resolve(data);
    };
  });
}
