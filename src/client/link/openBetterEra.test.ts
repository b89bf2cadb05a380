import { describe, expect, it } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { SessionsFound } from '../../log/protocol/era.ts';
import { testLog } from '../../recorder/testing/testLog.ts';
import { openBetterEra } from './openBetterEra.ts';
import type { EraConnection } from './trySession.ts';
import { recorded } from '../../log/reasons/reason.ts';

const NOW = 100;
const clock: Clock = { now: () => NOW, after: () => () => undefined, random: () => 0 };

type Sessions = 'with event IDs' | 'without event IDs' | 'rejected' | 'silent';

/** What a server was asked, and which of its sessions were ended. */
class Server {
  readonly asked: string[] = [];
  readonly log = testLog(clock);
  used: EraConnection | undefined;
  readonly #sessions: Sessions;
  readonly #discovers: boolean;
  readonly #version: string;
  readonly #get: number | undefined;

  constructor(given: {
    sessions: Sessions;
    discovers?: boolean;
    version?: string;
    known?: SessionsFound;
    get?: number;
  }) {
    this.#sessions = given.sessions;
    this.#discovers = given.discovers ?? true;
    this.#version = given.version ?? '1';
    this.#get = given.get ?? 400;
    const { known } = given;
    const era = { kind: 'era', era: 'session', protocolVersion: '2025-11-25', reason: recorded('') } as const;
    if (known) this.log.append({ body: { ...era, sessions: known } });
  }

  open() {
    const { log } = this;
    const make = (revision: 'auto' | 'session') => Promise.resolve(this.#connection(revision));
    const use = (one: EraConnection) => (this.used = one);
    return openBetterEra({ log, clock, make, use, isUsed: (one) => this.used === one });
  }

  #connection(revision: 'auto' | 'session'): EraConnection {
    const era = revision === 'auto' && this.#discovers ? 'stateless' : 'session';
    const serverInfo = { name: 's', version: this.#version };
    return {
      driver: { era },
      verdict: {
        era,
        protocolVersion: era,
        reason:
          revision === 'auto'
            ? { code: 'probe-answered', how: 'stateless', versions: [] }
            : { code: 'chosen', era },
      },
      session: {
        protocolVersion: '',
        handshake: { protocolVersion: '', capabilities: {}, serverInfo },
        ...(era === 'session' && { sessionId: 'x' }),
      },
      peer: { ping: () => Promise.resolve({}) },
      statusOfGet: () => {
        this.asked.push('GET');
        return Promise.resolve(this.#get);
      },
      open: () => this.#open(revision),
      terminate: () => Promise.resolve(void this.asked.push(`end ${era}`)),
      close: () => Promise.resolve(),
    };
  }

  #open(revision: 'auto' | 'session'): Promise<void> {
    this.asked.push(revision === 'auto' ? 'discover' : 'initialize');
    if (revision === 'auto' || this.#sessions === 'without event IDs') return Promise.resolve();
    if (this.#sessions === 'rejected') return Promise.reject(Object.assign(new Error('no'), { status: 400 }));
    if (this.#sessions === 'silent') return Promise.reject(new Error('Failed to fetch'));
    this.log.append({ body: { kind: 'position', stream: 'standalone', eventId: 'e1' } });
    return Promise.resolve();
  }
}

const found = (name: SessionsFound['name']): SessionsFound => ({ name, checkedAt: 7, server: 's 1' });

describe('a new connection', () => {
  it('finds out that sessions resume, and keeps that with its date', async () => {
    const server = new Server({ sessions: 'with event IDs' });
    const { verdict, connection } = await server.open();
    const sessions = { name: 'resumable', checkedAt: NOW, server: 's 1' };
    expect(verdict).toMatchObject({ era: 'session', reason: { code: 'probe-answered' }, sessions });
    expect(server.used).toBe(connection);
    expect(server.asked).toEqual(['discover', 'GET', 'initialize', 'end stateless']);
  });

  it('begins with sessions where they are known to resume', async () => {
    const server = new Server({ sessions: 'with event IDs', known: found('resumable') });
    expect((await server.open()).verdict).toMatchObject({
      era: 'session',
      reason: { code: 'probe-answered' },
      sessions: found('resumable'),
    });
    expect(server.asked).toEqual(['initialize']);
  });

  it.each([
    ['1', found('refused')],
    ['2', { name: 'resumable', checkedAt: NOW, server: 's 2' }],
  ])('remembers a rejected resume of this version of the server: %s', async (version, sessions) => {
    const server = new Server({ sessions: 'with event IDs', version, known: found('refused') });
    expect((await server.open()).verdict).toMatchObject({ era: 'session', sessions });
  });

  it('looks again where sessions are gone that were known to resume', async () => {
    const server = new Server({ sessions: 'rejected', known: found('resumable') });
    const sessions = { name: 'none', checkedAt: NOW };
    expect((await server.open()).verdict).toMatchObject({ era: 'stateless', sessions });
  });

  it('tries sessions once that are no use, and ends them', async () => {
    const server = new Server({ sessions: 'without event IDs' });
    expect((await server.open()).verdict).toMatchObject({ era: 'stateless' });
    expect(server.asked).toEqual(['discover', 'GET', 'initialize', 'end session']);
    const again = new Server({ sessions: 'without event IDs', known: found('no-event-ids') });
    expect((await again.open()).verdict).toMatchObject({ sessions: found('no-event-ids') });
    expect(again.asked).toEqual(['discover']);
  });

  it('sends no initialize where a GET shows no sign of sessions, and keeps that', async () => {
    const server = new Server({ sessions: 'with event IDs', get: 405 });
    const sessions = { name: 'untried', checkedAt: NOW, server: 's 1' };
    expect((await server.open()).verdict).toMatchObject({ era: 'stateless', sessions });
    expect(server.asked).toEqual(['discover', 'GET']);
    const again = new Server({ sessions: 'with event IDs', known: found('untried') });
    expect((await again.open()).verdict).toMatchObject({ era: 'stateless', sessions: found('untried') });
    expect(again.asked).toEqual(['discover']);
  });

  it('tries them again with the next version of the server', async () => {
    const server = new Server({ sessions: 'with event IDs', version: '2', known: found('no-event-ids') });
    expect((await server.open()).verdict).toMatchObject({ era: 'session', sessions: { server: 's 2' } });
  });

  it('tries them again where nothing was seen', async () => {
    const server = new Server({ sessions: 'with event IDs', known: found('unknown') });
    expect((await server.open()).verdict).toMatchObject({ era: 'session' });
  });

  it('costs a server without server/discover nothing more', async () => {
    const server = new Server({ sessions: 'with event IDs', discovers: false });
    const { verdict } = await server.open();
    expect(verdict).not.toHaveProperty('sessions');
    expect(server.asked).toEqual(['discover']);
  });

  it('fails as before where a server with known sessions does not respond', async () => {
    const server = new Server({ sessions: 'silent', known: found('resumable') });
    await expect(server.open()).rejects.toThrow('Failed to fetch');
    expect(server.asked).toEqual(['initialize']);
  });
});
