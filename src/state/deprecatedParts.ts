/** Which deprecated parts of the protocol a server uses, as far as the log shows it. Pure. */
import type { DeprecatedPart, TimedCall } from '../client/inspector/interface.ts';
import type { Session } from '../client/inspector/index.ts';
import type { Call } from '../log/state/call.ts';
import type { Entry } from '../log/entry/entry.ts';

const REQUESTS: Readonly<Record<string, DeprecatedPart>> = {
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};
/** A longer message is no question. */
const QUESTION_CHARS = 100_000;

/** What was asked by these: by a request, or within the response to a call (2026-07-28). */
export function partsIn(entries: readonly Entry[]): ReadonlySet<DeprecatedPart> {
  const found = new Set<DeprecatedPart>();
  for (const entry of entries) {
    if (entry.kind === 'auth' && entry.step === 'registration' && entry.method === 'POST') {
      found.add('dynamic-registration');
    }
    if (entry.kind !== 'received') continue;
    for (const method of entry.method === undefined ? askedWithin(entry.raw) : [entry.method]) {
      const part = REQUESTS[method];
      if (part) found.add(part);
    }
  }
  return found;
}

function askedWithin(raw: string): readonly string[] {
  if (raw.length > QUESTION_CHARS || !raw.includes('"inputRequests"')) return [];
  return [...raw.matchAll(/"method"\s*:\s*"([^"]+)"/g)].map(([, method = '']) => method);
}

export function partsOf(
  session: Pick<Session, 'handshake' | 'transport'> | undefined,
  seen: ReadonlySet<DeprecatedPart>,
): readonly DeprecatedPart[] {
  return [
    ...(session?.transport === 'sse' ? (['http-sse'] as const) : []),
    ...(session?.handshake.capabilities.logging === undefined ? [] : (['logging'] as const)),
    ...seen,
  ];
}

/** Calls that a reload would have cancelled, with the time that they took. What waits for the user isn't counted. */
export function cancelledByReload(calls: readonly Call[]): readonly TimedCall[] {
  return calls.flatMap(({ name, era, taskId, rounds = 0, tool, startedAt, settledAt }) =>
    name === 'settled' &&
    era === 'stateless' &&
    taskId === undefined &&
    rounds === 0 &&
    settledAt !== undefined
      ? [{ tool, durationMs: settledAt - startedAt }]
      : [],
  );
}
