import { describe, expect, it } from 'vitest';
import type { Call } from '../log/state/call.ts';
import type { Entry, EntryBody } from '../log/entry/entry.ts';
import { cancelledByReload, partsIn, partsOf } from './deprecatedParts.ts';

const entry = (body: EntryBody): Entry => ({ seq: 1, at: 0, load: 1, ...body });
const received = (method: string | undefined, raw: string) =>
  entry({ kind: 'received', stream: 's', ...(method !== undefined && { method }), raw });

describe('deprecated parts', () => {
  it.each<[string, readonly Entry[], readonly string[]]>([
    ['a progress notification', [received('notifications/progress', '{}')], []],
    ['a sampling request', [received('sampling/createMessage', '{}')], ['sampling']],
    ['a request for roots', [received('roots/list', '{}')], ['roots']],
    [
      'a request within a response',
      [received(undefined, '{"result":{"inputRequests":{"a":{"method": "roots/list"}}}}')],
      ['roots'],
    ],
    ['a result that speaks of one', [received(undefined, '{"result":{"method":"roots/list"}}')], []],
    [
      'a dynamic registration',
      [entry({ kind: 'auth', step: 'registration', method: 'POST' })],
      ['dynamic-registration'],
    ],
    ['another step of the login', [entry({ kind: 'auth', step: 'token', method: 'POST' })], []],
  ])('%s', (_, entries, parts) => expect([...partsIn(entries)]).toEqual(parts));

  it('are read from the handshake, too', () => {
    const handshake = {
      protocolVersion: '2025-11-25',
      capabilities: { logging: {} },
      serverInfo: { name: 'a', version: '1' },
    };
    expect(partsOf({ handshake, transport: 'sse' }, new Set(['roots']))).toEqual([
      'http-sse',
      'logging',
      'roots',
    ]);
    expect(partsOf(undefined, new Set())).toEqual([]);
  });
});

describe('calls that a reload cancels', () => {
  const call: Call = {
    id: '1',
    server: 's',
    tool: 'report',
    args: {},
    name: 'settled',
    era: 'stateless',
    startedAt: 1000,
    settledAt: 4000,
    repeatable: false,
    received: 0,
    replayed: 0,
    duplicates: 0,
  };

  it('are those of a stateless server that are no tasks', () => {
    const { era: _, ...ofSession } = call;
    const others: Call[] = [
      { ...call, taskId: 't' },
      { ...call, rounds: 1 },
      { ...call, name: 'lost', reason: { code: 'session-gone' } } as Call,
      ofSession,
    ];
    expect(cancelledByReload([call, ...others])).toEqual([{ tool: 'report', durationMs: 3000 }]);
  });
});
