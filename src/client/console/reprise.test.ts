import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../targets/testing/eventually.ts';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { testEnvironment } from '../testing/testEnvironment.ts';
import { Workspace } from '../workspace/workspace.ts';
import { createReprise, type Reprise } from './reprise.ts';

function openWorkspace(): Promise<Workspace> {
  let selected: string | undefined;
  return Workspace.open(testEnvironment(), {
    read: () => selected,
    write: (id) => void (selected = id),
    holdsBack: () => false,
  });
}

async function open(): Promise<Reprise> {
  const workspace = await openWorkspace();
  onTestFinished(async () => {
    for (const server of workspace.servers) await server.close();
  });
  return createReprise(Promise.resolve(workspace), '1.2.3', workspace.ready());
}

/** Connected to a target of this profile, under this name. */
async function connect(profile: string, name = 'server') {
  const target = await withTarget(profile);
  const reprise = await open();
  expect(await reprise.connect(target.url, { name })).toMatchObject({ name: 'connected', how: 'fresh' });
  return { reprise, target };
}

const stateOf = (reprise: Reprise, callId: string) =>
  reprise.calls().find(({ id }) => id === callId)?.name ?? 'unheard of';

describe('before the workspace is open', () => {
  it('says that there is nothing yet, and makes those wait who can', async () => {
    let done: (workspace: Workspace) => void = () => undefined;
    const opening = new Promise<Workspace>((resolve) => (done = resolve));
    const reprise = createReprise(opening, '1.2.3', Promise.resolve());
    expect(reprise.version).toBe('1.2.3');
    expect(reprise.state()).toMatchObject({ name: 'idle' });
    expect([reprise.servers(), reprise.calls(), reprise.tasks(), reprise.questions()]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(() => reprise.select('server')).toThrow('Await reprise.ready');
    const entries = reprise.entries();
    done(await openWorkspace());
    expect(await entries).toEqual([]);
  });

  it('does not break where the workspace can’t be opened: whoever asks is told', async () => {
    const reprise = createReprise(Promise.reject(new Error('no storage')), '1', Promise.resolve());
    await expect(reprise.tools()).rejects.toThrow('no storage');
    expect(reprise.servers()).toEqual([]);
  });
});

describe('without a server', () => {
  it('says that one has to be connected first', async () => {
    const reprise = await open();
    await expect(reprise.call('echo')).rejects.toThrow('Connect to one first');
    await expect(reprise.metrics()).rejects.toThrow('Connect to one first');
    expect(() => reprise.select('nobody')).toThrow('nobody');
    expect(await reprise.entries()).toEqual([]);
  });
});

describe('a call', () => {
  it('has an ID at once, and a result under the name of its server', async () => {
    const { reprise } = await connect('resumable', 'mine');
    const id = await reprise.call('countdown', { ticks: 2, intervalMs: 1 });
    await eventually('the call has its result', () => stateOf(reprise, id) === 'settled');
    expect(reprise.calls()).toMatchObject([
      { id, server: 'mine', tool: 'countdown', args: { ticks: 2 }, progress: { progress: 2 } },
    ]);
    await reprise.stored();
    expect(await reprise.metrics()).toMatchObject({
      server: 'mine',
      resumes: 0,
      restarts: 0,
      eventsRecovered: 0,
    });
  });

  it('is sent as plain data, with the `_meta` that was given', async () => {
    const { reprise } = await connect('resumable');
    const args = { ticks: 1, intervalMs: 1, at: new Date(0), left: undefined };
    const id = await reprise.call('countdown', args, { meta: { trace: 'a' }, timeoutMs: 5000 });
    expect(reprise.calls()).toMatchObject([
      { id, args: { ticks: 1, intervalMs: 1, at: '1970-01-01T00:00:00.000Z' }, timeoutMs: 5000 },
    ]);
    expect(reprise.calls()[0]?.args).not.toHaveProperty('left');
    const sent = (await reprise.entries('method:tools/call')).map((entry) => JSON.stringify(entry));
    expect(sent.join()).toContain('trace');
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    await expect(reprise.call('countdown', cyclic)).rejects.toThrow('circular');
  });

  it('can be cancelled', async () => {
    const { reprise } = await connect('resumable');
    const id = await reprise.call('countdown', { ticks: 1000, intervalMs: 50 });
    await reprise.cancel(id);
    expect(stateOf(reprise, id)).toBe('cancelled');
  });

  it('waits for the answer to what its server asks', async () => {
    const { reprise } = await connect('resumable');
    const id = await reprise.call('ask', { question: 'Which colour?' });
    await eventually('the server has asked', () => reprise.questions().length === 1);
    const [question] = reprise.questions();
    expect(question).toMatchObject({ server: 'server', callId: id });
    await reprise.answer(question?.id ?? '', { action: 'accept', content: { answer: 'blue' } });
    await eventually('the call has its result', () => stateOf(reprise, id) === 'settled');
    expect(reprise.questions()).toEqual([]);
  });
});

describe('the lists of a server', () => {
  it('are read anew for whoever asks', async () => {
    const { reprise } = await connect('resumable');
    expect((await reprise.tools()).map(({ name }) => name)).toContain('countdown');
    for (const list of [
      await reprise.resources(),
      await reprise.resourceTemplates(),
      await reprise.prompts(),
    ])
      expect(Array.isArray(list)).toBe(true);
  });
});

describe('several servers', () => {
  it('are listed, and one of them is asked', async () => {
    const { reprise } = await connect('resumable', 'first');
    const second = await withTarget('resumable');
    await reprise.connect(second.url, { name: 'second' });
    expect(reprise.servers().map(({ server, isSelected }) => [server, isSelected])).toEqual([
      ['first', false],
      ['second', true],
    ]);
    const id = await reprise.call('countdown', { ticks: 1, intervalMs: 1 });
    reprise.select('first');
    expect(stateOf(reprise, id)).toBe('unheard of');
    expect(reprise.calls()).toEqual([]);
    reprise.select('second');
    expect(stateOf(reprise, id)).not.toBe('unheard of');
  });

  it('are gone when they are forgotten, and stay on the list when they are only left', async () => {
    const { reprise } = await connect('resumable');
    await reprise.disconnect();
    expect(reprise.state()).toMatchObject({ name: 'disconnected' });
    expect(reprise.servers()).toHaveLength(1);
    await reprise.disconnect({ forget: true });
    expect(reprise.servers()).toEqual([]);
  });
});

describe('the log', () => {
  it('is given whole, or as a filter finds it, each entry with its server', async () => {
    const { reprise } = await connect('resumable', 'mine');
    const all = await reprise.entries();
    expect(all.length).toBeGreaterThan(3);
    expect(all.every((entry) => 'server' in entry && entry.server === 'mine')).toBe(true);
    const found = await reprise.entries('method:initialize');
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(all.length);
    expect(JSON.parse(await reprise.exportLog())).toMatchObject({ server: 'mine' });
  });
});
