/** The tests of the client once more, over a log that is recorded behind a channel with random delays. */
import { defineConfig } from 'vitest/config';
import config from '../../vite.config.ts';

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['src/{client,recorder}/**/*.test.ts'],
    // It has no log.
    exclude: ['src/client/public/bundle.test.ts'],
    env: { REPRISE_LOG: 'remote' },
  },
});
