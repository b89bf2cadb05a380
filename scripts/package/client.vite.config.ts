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
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  };
});
