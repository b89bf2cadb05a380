/** Bundles the harness to plain ES modules for the npm package: there is no TypeScript at run time, and no bundler. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('../..'),
  publicDir: false,
  logLevel: 'warn',
  // Playwright must be the one that the person's own tests use: two copies of it refuse to work together.
  ssr: { noExternal: true, external: ['@playwright/test'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'lib/harness',
    emptyOutDir: true,
    rolldownOptions: {
      input: { cli: here('../../harness/cli.ts'), playwright: here('../../harness/playwright/index.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
