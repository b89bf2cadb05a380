import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { LOG_PLACE } from '../../src/timeline/share/logPlace.ts';

interface Options {
  /** The entry, relative to the project's root. */
  readonly entry: string;
  /** Its name at the site's root. Not HTML: nobody opens it by itself. */
  readonly fileName: string;
}

const HERE = fileURLToPath(new URL('../../src/limited/runHere.ts', import.meta.url));

/** The viewer of a log as one page, with a place for the log: `Export…` and `verify --html` put one in. */
export function logViewer({ entry, fileName }: Options): Plugin {
  let config: ResolvedConfig;

  async function page(): Promise<string> {
    const output = await build({
      configFile: false,
      root: config.root,
      mode: config.mode,
      logLevel: 'warn',
      publicDir: false,
      plugins: [withoutWorker(), svelte({ configFile: false })],
      define: {
        ...config.define,
        'process.env.NODE_ENV': JSON.stringify(config.isProduction ? 'production' : 'development'),
      },
      build: {
        write: false,
        minify: config.isProduction,
        target: config.build.target,
        lib: { entry, formats: ['iife'], name: 'viewer', fileName: () => 'viewer.js', cssFileName: 'viewer' },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
    const first = Array.isArray(output) ? output[0] : output;
    const files = first && 'output' in first ? first.output : [];
    const [code] = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
    if (code === undefined) throw new Error(`${entry} was bundled to nothing.`);
    const styles = files.flatMap((file) =>
      file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
    );
    return pageOf(inScript(code), styles.join('\n'));
  }

  return {
    name: 'reprise:log-viewer',
    configResolved(resolved) {
      config = resolved;
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await page() });
    },
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response, next) => {
        page().then((text) => {
          response.setHeader('content-type', 'text/plain; charset=utf-8');
          response.end(text);
        }, next);
      });
    },
  };
}

/** A file has no worker beside it. */
function withoutWorker(): Plugin {
  return {
    name: 'reprise:without-worker',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/limited/runLimited.ts') ? HERE : null),
  };
}

/** Nothing in it may end the script before its end. */
const inScript = (code: string): string => code.replace(/<(?=!--|\/?script)/gi, '\\x3C');

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function pageOf(code: string, styles: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${hashOf(styles)}`,
    'img-src data:',
    'media-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reprise: log</title>
<style>${styles}</style>
</head>
<body>
<noscript><p>This log is drawn by a script in this file. Allow JavaScript for it, or open the file in another browser.</p></noscript>
<div id="app"></div>
<script type="application/json" id="log">${LOG_PLACE}</script>
<script>${code}</script>
</body>
</html>
`;
}
