/** The public conformance suite: fetched on first use into a cache of its own, because `npm test` does not need it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE_VERSION = '0.2.0-alpha.12';
/** The suite needs `fs.globSync`, which Node has from 22 on. The npm package `node` ships that binary. */
const NODE_MAJOR = 22;

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/conformance/', import.meta.url));

export interface Suite {
  /** A Node that can run the suite. */
  readonly node: string;
  /** The suite's command. */
  readonly cli: string;
}

export function installSuite(): Suite {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= NODE_MAJOR;
  const suite: Suite = {
    node: isNewEnough ? process.execPath : join(CACHE, 'node_modules/node/bin/node'),
    cli: join(CACHE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  };
  if (existsSync(suite.node) && existsSync(suite.cli) && installedVersion(suite) === SUITE_VERSION)
    return suite;
  mkdirSync(CACHE, { recursive: true });
  // A manifest of its own keeps npm from looking for one further up.
  writeFileSync(join(CACHE, 'package.json'), '{ "private": true }\n');
  const packages = [
    `@modelcontextprotocol/conformance@${SUITE_VERSION}`,
    ...(isNewEnough ? [] : [`node@${NODE_MAJOR}`]),
  ];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', CACHE, ...packages], {
    stdio: 'inherit',
  });
  return suite;
}

/** Which scenarios a revision scores, from the suite's own list. */
export function scoredScenarios({ node, cli }: Suite, side: 'Server' | 'Client', revision: string): string[] {
  const list = execFileSync(node, [cli, 'list', '--requirements', revision], { encoding: 'utf8' });
  const section = list.split(`${side} scenarios`)[1]?.split('\n\n')[0] ?? '';
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name ?? '');
}

/** Every scenario that is run for a revision, scored or not. */
export function listedScenarios({ node, cli }: Suite, revision: string): string[] {
  const list = execFileSync(node, [cli, 'list', '--requirements', revision], { encoding: 'utf8' });
  return [...list.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name ?? '');
}

function installedVersion({ node, cli }: Suite): string | undefined {
  try {
    return execFileSync(node, [cli, '--version'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
