/**
 * `npm run mutate`: the tests that must notice when a row of a machine is broken. The table tests alone: an exploration
 * of every order takes seconds, and would run again for each of a thousand mutants.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/client/{session,streams}/*Machine.test.ts'],
  },
});
