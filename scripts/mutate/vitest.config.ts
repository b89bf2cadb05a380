/** `npm run mutate`: the tests that must notice when a row of a machine is broken. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/client/{session,streams}/*.test.ts'],
  },
});
