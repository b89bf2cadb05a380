import { expect, test } from 'vitest';
import { memoryText } from '../storage/keptText.ts';
import { SandboxPorts, type Locks } from './sandboxPorts.ts';

/** One after the other, as `navigator.locks` does. */
function locks(): Locks {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name, work) => {
      const next = last.then(work);
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** A host that gives the first port that it may, from the same one for all servers. */
const first = (taken: readonly number[]): Promise<number> => {
  let port = 10_000;
  while (taken.includes(port)) port += 1;
  return Promise.resolve(port);
};

test('two servers whose names lead to one port get two', async () => {
  const ports = new SandboxPorts(memoryText(), locks());
  expect(await Promise.all(['a', 'b', 'a'].map((server) => ports.portFor(server, first)))).toEqual([
    10_000, 10_001, 10_000,
  ]);
});

test('a port stays with its server in later page loads, whichever server is opened first', async () => {
  const kept = memoryText();
  const before = new SandboxPorts(kept, locks());
  await before.portFor('a', first);
  await before.portFor('b', first);
  const after = new SandboxPorts(kept, locks());
  expect(await after.portFor('b', first)).toBe(10_001);
  expect(await after.portFor('c', first)).toBe(10_002);
  expect(await after.portFor('a', first)).toBe(10_000);
});

test('a host that gives a port of another server gives none', async () => {
  const ports = new SandboxPorts(memoryText(), locks());
  const same = () => Promise.resolve(10_000);
  expect(await ports.portFor('a', same)).toBe(10_000);
  expect(await ports.portFor('b', same)).toBeUndefined();
  expect(await ports.portFor('a', same)).toBe(10_000);
});

test('a server that got another port keeps the first one to itself', async () => {
  const ports = new SandboxPorts(memoryText(), locks());
  await ports.portFor('a', () => Promise.resolve(10_000));
  await ports.portFor('a', () => Promise.resolve(10_001));
  expect(await ports.portFor('b', first)).toBe(10_002);
});

test('what is stored and isn’t a list of ports is passed over', async () => {
  const kept = memoryText();
  kept.write('reprise.sandboxPorts', '{"10000":7,"x":');
  expect(await new SandboxPorts(kept, locks()).portFor('a', first)).toBe(10_000);
});
