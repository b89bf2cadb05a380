// What a static host needs beside the site: headers as configuration, and files that are compressed in advance.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { headersIn, SANDBOX, sandboxHeaders } from './siteHeaders.mjs';

const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.map', '.svg', '.txt', '.webmanifest']);
/** Below this, a packet is a packet. */
const LEAST_BYTES = 1024;

/** The sandbox of MCP Apps has others. */
const FRAMING = new Set(['content-security-policy', 'x-frame-options']);

const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Writes `_headers`, `nginx.conf.example` and the `.gz` and `.br` files into a built site.
 *
 * @param {string} folder
 */
export async function writeHostFiles(folder) {
  const headers = await headersIn(folder);
  await writeFile(join(folder, '_headers'), headersFile(headers));
  await writeFile(join(folder, 'nginx.conf.example'), nginxConf(headers));
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names.filter((name) => COMPRESSIBLE.has(extname(name))).map((name) => compress(join(folder, name))),
  );
}

/** @param {string} file */
async function compress(file) {
  const content = await readFile(file);
  if (content.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    promisify(gzip)(content, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
    promisify(brotliCompress)(content, { params }).then((packed) => writeFile(`${file}.br`, packed)),
  ]);
}

/**
 * For hosts that read `_headers`. Some join the values of two rules, so no header is set by both rules of a file.
 *
 * @param {Readonly<Record<string, string>>} headers
 */
export function headersFile(headers) {
  const rule = (/** @type {string} */ path, /** @type {Readonly<Record<string, string>>} */ values) =>
    [path, ...Object.entries(values).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  const framing = pick(headers, (name) => FRAMING.has(name));
  return `${[
    rule(
      '/*',
      pick(headers, (name) => !FRAMING.has(name)),
    ),
    rule('/assets/*', { ...framing, 'cache-control': IMMUTABLE }),
    ...['/', '/index.html', '/sw.js'].map((path) => rule(path, { ...framing, 'cache-control': 'no-cache' })),
    rule(`/${SANDBOX}`, {
      ...pick(sandboxHeaders(), (name) => FRAMING.has(name) || headers[name] === undefined),
      'cache-control': 'no-cache',
    }),
  ].join('\n\n')}\n`;
}

/**
 * @param {Readonly<Record<string, string>>} headers
 * @param {(name: string) => boolean} passes
 */
const pick = (headers, passes) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => passes(name)));

/** @param {Readonly<Record<string, string>>} headers */
export function nginxConf(headers) {
  const lines = (/** @type {string} */ caching, values = headers) =>
    Object.entries({ ...values, 'cache-control': caching })
      .map(([name, value]) => `  add_header ${name} "${value}" always;`)
      .join('\n');
  return `# Reprise at the root of a host of its own. Put this into a server block, and set the folder of the site.
# nginx doesn't inherit add_header into a location that has its own, so each has all of them.
root /srv/reprise;
gzip_static on;
# brotli_static on;  # with the module ngx_brotli

location / {
${lines('no-cache')}
}

location /assets/ {
${lines(IMMUTABLE)}
}

location = /${SANDBOX} {
${lines('no-cache', sandboxHeaders())}
}
`;
}
