import { describe, expect, it } from 'vitest';
import type { Control, Need } from './context.ts';
import { unmetNeed } from './needs.ts';

type Known = Parameters<typeof unmetNeed>[1];
const CONTROL = {
  durationMs: 2000,
  shortestMs: 2000,
  observed: { givesEventIds: true },
} as unknown as Control;
const FINE: Known = {
  blocked: undefined,
  tools: [{ name: 'a', inputSchema: {}, _meta: { ui: { resourceUri: 'ui://a' } } }],
  tool: { name: 't', args: {}, why: '' },
  era: 'session',
  hasSession: true,
  tasks: 'core',
  control: CONTROL,
  browser: { isRemote: false, kind: 'chromium' },
};

describe('unmetNeed', () => {
  it('finds nothing missing at a server that has everything', () => {
    expect(
      unmetNeed(['page', 'tool', 'session', 'event-ids', 'time', 'own-browser', 'crash'], FINE),
    ).toBeUndefined();
  });

  it.each<[Need, Partial<Known>, string, string]>([
    ['page', { blocked: "Browsers can't connect" }, 'skipped', "Browsers can't connect"],
    ['tool', { tool: undefined }, 'skipped', '--tool'],
    ['session', { hasSession: false }, 'unsupported', 'Mcp-Session-Id'],
    ['session', { era: 'stateless', hasSession: false }, 'unsupported', 'has no sessions'],
    ['stateless', {}, 'unsupported', 'for stateless servers'],
    ['tasks', { tasks: undefined }, 'unsupported', 'the tasks capability'],
    ['control', { control: undefined }, 'skipped', 'control call'],
    ['event-ids', { control: undefined }, 'skipped', 'control call'],
    [
      'event-ids',
      { control: { ...CONTROL, observed: { ...CONTROL.observed, givesEventIds: false } } },
      'unsupported',
      'event IDs',
    ],
    ['time', { control: { ...CONTROL, shortestMs: 100 } }, 'skipped', '100 ms'],
    ['own-browser', { browser: { isRemote: true, kind: 'chromium' } }, 'skipped', 'Remote'],
    ['crash', { browser: { isRemote: false, kind: 'firefox' } }, 'skipped', 'Firefox'],
  ])('%s: with %o it is %s', (need, known, verdict, why) => {
    const finding = unmetNeed([need], { ...FINE, ...known });
    expect(finding?.verdict).toBe(verdict);
    expect(finding?.why).toContain(why);
  });
});
