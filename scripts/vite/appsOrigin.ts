import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { SANDBOX, withAppsOrigin, withHostOrigins } from '../lib/siteHeaders.mjs';

/**
 * A site whose sandbox for MCP Apps is served at another origin: REPRISE_APPS_ORIGIN. `*` in it stands for one name per
 * server. That sandbox serves this site alone, so REPRISE_PUBLIC_URL is needed as well.
 */
export function appsOrigin(origin: string | undefined, publicUrl: string | undefined): Plugin {
  const host = origin === undefined ? undefined : hostOf(origin, publicUrl);
  return {
    name: 'reprise:apps-origin',
    apply: 'build',
    transformIndexHtml: (html) => withAppsOrigin(html, origin),
    async writeBundle({ dir }) {
      if (host === undefined || dir === undefined) return;
      const file = join(dir, SANDBOX);
      await writeFile(file, withHostOrigins(await readFile(file, 'utf8'), [host]));
    },
  };
}

function hostOf(origin: string, publicUrl: string | undefined): string {
  const parsed = URL.parse(origin.replace('*', 'app'));
  if (parsed?.origin !== origin.replace('*', 'app')) {
    throw new Error(
      `REPRISE_APPS_ORIGIN must be an origin, for example https://apps.example (got ${origin})`,
    );
  }
  if (publicUrl === undefined) {
    throw new Error(
      'REPRISE_APPS_ORIGIN requires REPRISE_PUBLIC_URL, because the sandbox serves only that page.',
    );
  }
  const host = new URL(publicUrl).origin;
  if (host === parsed.origin) throw new Error("REPRISE_APPS_ORIGIN must differ from the page's origin.");
  return host;
}
