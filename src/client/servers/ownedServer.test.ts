import { describe, expect, it, onTestFinished } from 'vitest';
import { Emitter } from '../../base/emitter.ts';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { Log } from '../../log/log.ts';
import { testEnvironment } from '../testing/testEnvironment.ts';
import { OwnedServer } from './ownedServer.ts';
import { ServerAccess } from './serverAccess.ts';
import { ServerFacts } from './serverFacts.ts';
import { ServerLogin } from './serverLogin.ts';
import { restoreServer } from './storedServer.ts';
import { StoredLog } from './storedLog.ts';

async function own(url: string, keys: { readonly fetched?: string[] } = {}) {
  const env = testEnvironment({
    fetch: (input, init) => {
      keys.fetched?.push(String(input instanceof Request ? input.url : input));
      return fetch(input, init);
    },
  });
  const record = { id: 's', name: 's', url };
  const { reader, records, restored, known } = await restoreServer(env, record);
  const access = new ServerAccess(env, record, records, known);
  const log = new Log('s', env.clock);
  const stored = new StoredLog(log, reader, restored, () => Promise.resolve());
  const told: string[] = [];
  const facts = new ServerFacts({ tell: ({ type }) => void told.push(type) }, known);
  const configured = new Emitter<undefined>();
  const moved = new Emitter<string>();
  configured.on(() => told.push('configured'));
  moved.on((to) => told.push(`moved to ${new URL(to).pathname}`));
  const commands = { execute: () => Promise.resolve(undefined) };
  const login = new ServerLogin(env, { access, log, stored, commands });
  const owned = new OwnedServer({ env, access, log, stored, login, facts, configured, moved }, known);
  onTestFinished(() => owned.client.close());
  const connect = (to = url) => owned.perform({ name: 'connect', url: to, settings: {} });
  return { owned, access, log, told, facts, connect };
}

describe('a command to connect', () => {
  it('changes the settings first, then begins a session, and the other tabs get the lists', async () => {
    const { url } = await withTarget('resumable');
    const { owned, told, facts, connect, log } = await own(url);
    expect(await connect()).toMatchObject({ name: 'connected', how: 'fresh' });
    expect(told[0]).toBe('configured');
    await owned.perform({ name: 'lists' });
    expect(told).toContain('lists');
    expect(facts.lists.tools.map(({ name }) => name)).toContain('countdown');
    expect(log.state.connection.name).toBe('connected');
  });

  it('again ends the session before, and has a client of its own', async () => {
    const target = await withTarget('resumable');
    const { owned, connect } = await own(target.url);
    await connect();
    const before = owned.client;
    await connect();
    expect(owned.client).not.toBe(before);
    expect(target.stats().sessions.map(({ deletes }) => deletes)).toEqual([1, 0]);
  });

  it('to the URL of a host finds the server at its usual path, and says so', async () => {
    const { url, origin } = await withTarget('resumable');
    const { access, told, connect, log } = await own(url);
    expect(await connect(`${origin}/`)).toMatchObject({ name: 'connected' });
    expect(access.url).toBe(url);
    expect(told).toContain('moved to /mcp');
    const note = log.tail.find((entry) => entry.kind === 'note' && entry.reason.code === 'url-changed');
    expect(note).toMatchObject({ reason: { url: `${origin}/`, newUrl: url } });
  });

  it('without the keys of the URL asks for them, and no request is sent', async () => {
    const { url } = await withTarget('resumable');
    const fetched: string[] = [];
    const { connect, log } = await own(url, { fetched });
    const hidden = `${url}?api_key=‹redacted›`;
    expect(await connect(hidden)).toMatchObject({ name: 'authorizing', ask: 'credentials' });
    expect(await connect(hidden)).toMatchObject({ name: 'authorizing' });
    expect(fetched).toEqual([]);
    expect(log.tail.filter(({ kind }) => kind === 'state')).toHaveLength(1);
  });
});

it('what a login or a view of an app did is recorded in the log of this tab', async () => {
  const { url } = await withTarget('resumable');
  const { owned, log } = await own(url);
  await owned.perform({ name: 'record-auth', body: { step: 'callback' } });
  await owned.perform({
    name: 'record-app',
    bodies: [{ callId: 'c', view: 'v', step: 'opened' }],
  });
  expect(log.tail).toMatchObject([
    { kind: 'auth', step: 'callback' },
    { kind: 'app', step: 'opened' },
  ]);
});
