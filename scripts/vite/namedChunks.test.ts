import { expect, test } from 'vitest';
import { namedChunks } from './namedChunks.ts';

const RUNTIME = '/node_modules/svelte/src/internal/client';
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  '/main.ts': ['/view.svelte'],
  '/view.svelte': [`${RUNTIME}/index.js`],
  [`${RUNTIME}/index.js`]: [`${RUNTIME}/render.js`, `${RUNTIME}/dom/elements/transitions.js`],
  [`${RUNTIME}/dom/elements/transitions.js`]: [`${RUNTIME}/loop.js`],
  '/server.ts': ['/view.svelte', '/form.svelte'],
  '/timeline.ts': ['/form.svelte', '/lanes.ts', '/shared.ts', '/sign.ts'],
  '/call.svelte': ['/sign.ts'],
  '/engine.ts': ['/index.ts'],
  '/connection.ts': ['/sdk.ts', '/shared.ts'],
};

const nameOf = namedChunks({
  first: ['app', '/main.ts'],
  then: [
    ['server', '/server.ts'],
    ['connection', '/connection.ts'],
  ],
  aside: [
    ['timeline', '/timeline.ts', '/engine.ts'],
    ['call', '/call.svelte'],
  ],
});
const chunkOf = (id: string): string | null =>
  nameOf(id, { getModuleInfo: (one) => ({ importedIds: IMPORTS[one] ?? [] }) });

test.each([
  ['/main.ts', 'app'],
  ['/view.svelte', 'app'],
  [`${RUNTIME}/render.js`, 'app'],
  ['/server.ts', 'server'],
  ['/form.svelte', 'server'],
  ['/lanes.ts', 'timeline'],
  ['/index.ts', 'timeline'],
  ['/sdk.ts', 'connection'],
  ['/sign.ts', 'server'],
  ['/shared.ts', 'app'],
])('%s is in the script %s', (id, name) => {
  expect(chunkOf(id)).toBe(name);
});

test.each(['/later.svelte', `${RUNTIME}/dom/elements/transitions.js`, `${RUNTIME}/loop.js`])(
  '%s has no named script',
  (id) => {
    expect(chunkOf(id)).toBeNull();
  },
);
