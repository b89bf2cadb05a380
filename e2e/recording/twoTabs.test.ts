import { describe, expect, it, onTestFinished } from 'vitest';
import type { Workspace } from '../../src/client/workspace/workspace.ts';
import { eventually } from '../../targets/testing/eventually.ts';
import { withTarget } from '../../targets/testing/withTarget.ts';
import { Browser } from './browser.ts';

const names = ({ servers }: Workspace) => servers.map(({ name }) => name);

/** Two tabs of one browser on the same two servers. The first one opens the connections. */
async function twoTabs() {
  const target = await withTarget('resumable');
  const browser = new Browser('two-tabs', target.url);
  const pages = [await browser.openWorkspace(), await browser.openWorkspace()] as const;
  onTestFinished(() => {
    for (const page of pages) page.die();
  });
  const [owner, other] = [pages[0].workspace, pages[1].workspace];
  const kept = await owner.add('http://127.0.0.1:1/mcp', { name: 'kept' });
  await owner.connect(target.url, { name: 'removed' });
  const id = owner.requireSelected().id;
  await eventually('the other tab has both servers', () => names(other).length === 2);
  other.select(id);
  await other.requireSelected().ready;
  expect([owner.requireSelected().role, other.requireSelected().role]).toEqual(['leads', 'follows']);
  return { target, browser, owner, other, id, kept };
}

describe('two tabs, when a server is removed in one of them', () => {
  it.each(['the owner tab', 'the other tab'])('by %s: it is gone in both, with its session', async (who) => {
    const { target, browser, owner, other, id, kept } = await twoTabs();
    const [remover, watcher] = who === 'the owner tab' ? [owner, other] : [other, owner];
    const heard: string[] = [];
    watcher.removed.on((removed) => heard.push(removed));
    await remover.remove(id);
    await eventually('the other tab has heard of it', () => heard.includes(id));
    expect([names(owner), names(other)]).toEqual([['kept'], ['kept']]);
    expect(watcher.selected?.id).toBe(kept);
    await expect(watcher.connectTo(id)).rejects.toThrow('No server named');
    await eventually('the server was told', () => target.stats().sessions[0]?.deletes === 1);
    const stored = await browser.storedKeys();
    expect(stored.filter((key) => key.includes(id))).toEqual([]);
  });

  it('a change in the other tab does not bring it back', async () => {
    const { owner, other, id } = await twoTabs();
    await owner.remove(id);
    await expect(other.edit(id, 'http://127.0.0.1:2/mcp', { name: 'again' })).rejects.toThrow(
      'No server named',
    );
    await eventually('it is gone in the other tab', () => names(other).join() === 'kept');
  });
});
