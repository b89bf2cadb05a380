/**
 * Bundles `mcp-reprise/client` for the npm package. By default the MCP SDK stays outside: an app that uses it too ships it
 * once. With `--mode standalone` it's inside, for pages without a bundler.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The SDK's zod belongs to the app as well: how it compiles is not ours to change. */
const leaveZodAlone: Plugin = {
  name: 'leave-zod-alone',
  enforce: 'pre',
  load: (id) => (id.endsWith('/base/withoutEval.ts') ? '' : undefined),
};

/**
 * Two files until the first result: what the entry needs, and what a connection needs beside that. By itself the bundler
 * would give a file to every module that a later part shares with them, and twenty small files compress worse than two.
 */
const CHUNKS = [
  { name: 'client', test: /src\/client\/(public\/index|servers\/ownedServer)\.ts$/, priority: 2 },
  { name: 'connection', test: /src\/client\/link\/connection\.ts$/, priority: 1 },
];

export default defineConfig(({ mode }) => {
  const isStandalone = mode === 'standalone';
  return {
    root: here('../..'),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: isStandalone ? [] : [leaveZodAlone],
    build: {
      target: 'es2022',
      outDir: isStandalone ? 'lib/client/standalone' : 'lib/client',
      emptyOutDir: true,
      minify: isStandalone,
      lib: { entry: here('../../src/client/public/index.ts'), formats: ['es'], fileName: 'index' },
      rolldownOptions: {
        external: isStandalone ? [] : [/^@modelcontextprotocol\/client/],
        output: { chunkFileNames: '[name]-[hash].js', codeSplitting: { groups: CHUNKS } },
      },
    },
  };
});
