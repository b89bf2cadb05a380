import { expect, test } from 'vitest';
import { firstLoad } from './firstLoad.ts';

const RUNTIME = '/node_modules/svelte/src/internal/client';
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  '/main.ts': ['/view.svelte'],
  '/view.svelte': [`${RUNTIME}/index.js`],
  [`${RUNTIME}/index.js`]: [`${RUNTIME}/render.js`, `${RUNTIME}/dom/elements/transitions.js`],
  [`${RUNTIME}/dom/elements/transitions.js`]: [`${RUNTIME}/loop.js`],
};

const chunkOf = (id: string): string | null =>
  firstLoad('/main.ts')(id, { getModuleInfo: (one) => ({ importedIds: IMPORTS[one] ?? [] }) });

test.each(['/main.ts', '/view.svelte', `${RUNTIME}/render.js`])('%s is in the first script', (id) => {
  expect(chunkOf(id)).toBe('app');
});

test.each(['/later.svelte', `${RUNTIME}/dom/elements/transitions.js`, `${RUNTIME}/loop.js`])(
  '%s comes with a later part',
  (id) => {
    expect(chunkOf(id)).toBeNull();
  },
);
