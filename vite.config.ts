import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { appsOrigin } from './scripts/vite/appsOrigin.ts';
import { clientMetadata } from './scripts/vite/clientMetadata.ts';
import { devCsp } from './scripts/vite/devCsp.ts';
import { namedChunks } from './scripts/vite/namedChunks.ts';
import { ownCopy } from './scripts/vite/ownCopy.ts';
import { returningParts } from './scripts/vite/returningParts.ts';
import { logViewer } from './scripts/vite/logViewer.ts';
import { serviceWorker } from './scripts/vite/serviceWorker.ts';

const { version, reprise } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
  reprise?: { updateRequiredBelow?: string };
};

const module = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // Relative addresses, so that the built site works from any folder of any static host.
  base: './',
  // As on a static host, an address without a file is a 404, not the app.
  appType: 'mpa',
  plugins: [
    svelte({ configFile: false }),
    devCsp(),
    appsOrigin(process.env['REPRISE_APPS_ORIGIN'], process.env['REPRISE_PUBLIC_URL']),
    clientMetadata(process.env['REPRISE_PUBLIC_URL']),
    // Skills use the SDK's Client, which nothing else does: half of the SDK.
    ownCopy({
      by: /catalog[\\/]skills[\\/]|[\\/]ext-apps[\\/]/,
      packages: /@modelcontextprotocol[\\/](client|core)/,
    }),
    returningParts({
      entry: 'src/returning.ts',
      parts: ['server', 'call', 'owner'],
    }),
    logViewer({ entry: 'src/viewer.ts', fileName: 'viewer.txt' }),
    serviceWorker({
      entry: 'src/demo/worker.ts',
      fileName: 'sw.js',
      requiredBelow: reprise?.updateRequiredBelow,
    }),
  ],
  define: { __REPRISE_VERSION__: JSON.stringify(version) },
  // The pages in examples/ need packages that aren't installed here.
  optimizeDeps: { entries: ['index.html'] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    modulePreload: {
      polyfill: false,
      // Neither what is asked for at that moment anyway, nor what is there: their names are bytes of the first script.
      resolveDependencies: (file, needed) =>
        needed.filter((name) => name !== file && !/assets\/(app|rolldown-runtime)-/.test(name)),
    },
    rolldownOptions: {
      // Svelte doesn't say so of its files: the class for custom elements, which there are none of, and what namedChunks leaves
      // to later parts, are only there for what they export.
      treeshake: {
        moduleSideEffects: [
          {
            test: /svelte.*(custom-element|transitions|loop|timing|reactivity[\\/](set|map))\.js$/,
            sideEffects: false,
          },
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            // Before all others and in one chunk with zod, or the SDK could make its schemas before zod is told not to compile.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|base[\\/]withoutEval/ },
            {
              name: namedChunks({
                first: ['app', module('src/main.ts')],
                then: [
                  ['server', module('src/ui/frame/serverPart.ts')],
                  [
                    'owner',
                    module('src/client/servers/ownedServer.ts'),
                    module('src/client/link/connection.ts'),
                    module('src/client/catalog/interface/keepInterface.ts'),
                  ],
                ],
                aside: [
                  ['call', module('src/ui/call/CallDetail.svelte')],
                  [
                    'timeline',
                    module('src/ui/timeline/CallsView.svelte'),
                    module('src/state/timelineEngine.ts'),
                  ],
                ],
              }),
              // The parts of Svelte that only later parts use come with those.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'node',
    // No test leaves anything behind in a module, so they can share them: half the time.
    isolate: false,
    // Threads of one process share their BroadcastChannels, and a test would hear the workspace of another file.
    pool: 'forks',
    // By itself it leaves one core of two unused.
    maxWorkers: 2,
    // Two cores that a browser has just used are slow; a test that hangs is still found.
    testTimeout: 60_000,
    include: ['{src,harness,targets,bridge,e2e}/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}'],
    exclude: ['node_modules/**'],
  },
});
