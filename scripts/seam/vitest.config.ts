/** The tests that have a log once more, over one that is recorded behind a channel with random delays. */
import { defineConfig } from 'vitest/config';
import config from '../../vite.config.ts';
import { testsThatImport } from './importers.ts';

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: [...testsThatImport('src/recorder/testing/testLog.ts', ['src/client', 'src/recorder'])],
    env: { REPRISE_LOG: 'remote' },
  },
});
