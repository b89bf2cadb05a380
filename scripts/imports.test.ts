// The import rules are only worth something if they see every file: each one is broken here once.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandOf, ROOT } from './lib/paths.mjs';

const FILES = {
  // Allowed:
  'src/base/result.ts': 'export type Result = true; export const yes: Result = true;',
  'src/log/log.ts': "import { yes } from '../base/result.ts'; export const log = yes;",
  'src/ui/App.svelte': '<script lang="ts">import { view } from "../log/logView.ts";</script>{view}',
  'src/log/logView.ts': 'export const view = 1;',
  'src/recorder/serverLog.ts': "import '../log/log.ts';",
  'src/client/port.ts': "import '../recorder/serverLog.ts';",
  'src/main.ts': "import App from './ui/App.svelte'; import './demo/register.ts'; export { App };",
  'src/state/demo.ts': "import '../demo/register.ts';",
  'src/demo/register.ts': 'export const register = 1;',
  'src/demo/worker.ts': "import '../../targets/core/target.ts';",
  'targets/core/target.ts': 'export const target = 1;',
  'src/storage/types.ts': "import type { B } from './types2.ts'; export type A = B;",
  'src/storage/types2.ts': "import type { A } from './types.ts'; export type B = A | 1;",
  'src/log/log.test.ts': "import '../ui/App.svelte'; import 'node:fs';",
  'src/client/session/session.ts': 'export const session = 1;',
  'src/client/servers/server.ts': "import '../session/session.ts'; export const server = 1;",
  'src/client/inspector/index.ts': "export { server } from '../servers/server.ts';",
  'src/state/door.ts': "import '../client/inspector/index.ts';",
  // Forbidden:
  'src/base/up.ts': "import { view } from '../log/logView.ts'; export { view };",
  'src/log/typesUp.ts': "import type { Up } from '../client/client.ts'; export type { Up };",
  'src/client/client.ts': 'export type Up = 1;',
  'src/wire/sideways.ts': "import '../storage/types.ts';",
  'src/timeline/Lane.svelte': '<p>Not here</p>',
  'src/ui/lane.ts': "import '../timeline/Lane.svelte';",
  'src/client/runes.svelte.ts': "import '../ui/App.svelte';",
  'src/ui/Demo.svelte': '<script lang="ts">import "../demo/worker.ts";</script>',
  'src/demo/wrong.ts': "import '../log/logView.ts';",
  'src/auth/dynamic.ts': "export const later = () => import('../client/client.ts');",
  'src/client/exchange/up.ts': "import '../session/session.ts';",
  'src/state/past.ts': "import '../client/servers/server.ts';",
  'src/client/direct.ts': "import '../log/log.ts';",
  'src/client/node.ts': "import 'node:fs';",
  'src/client/tool.ts': "import 'vitest';",
  'src/client/library.ts': "import 'idb-keyval';",
  'src/client/lost.ts': "import './notThere.ts';",
  'src/state/one.ts': "import { two } from './two.ts'; export const one = two;",
  'src/state/two.ts': "import { one } from './one.ts'; export const two = one;",
  'targets/core/node.ts': "import 'node:http';",
  'e2e/specs/helper.ts': 'export const help = 1;',
  'harness/helped.ts': "import '../e2e/specs/helper.ts';",
  'targets/cli.ts': "import '../src/base/result.ts';",
};

const FORBIDDEN = [
  'components-live-in-ui: src/ui/lane.ts → src/timeline/Lane.svelte',
  'demo-is-the-reference-target: src/demo/wrong.ts → src/log/logView.ts',
  'demo-register-only: src/ui/Demo.svelte → src/demo/worker.ts',
  'core-is-runtime-neutral: targets/core/node.ts → http',
  'inspector-is-the-door: src/state/past.ts → src/client/servers/server.ts',
  'layer-auth: src/auth/dynamic.ts → src/client/client.ts',
  'layer-base: src/base/up.ts → src/log/logView.ts',
  'layer-client: src/client/runes.svelte.ts → src/ui/App.svelte',
  'layer-log: src/log/typesUp.ts → src/client/client.ts',
  'layer-ui: src/ui/Demo.svelte → src/demo/worker.ts',
  'layer-wire: src/wire/sideways.ts → src/storage/types.ts',
  'log-is-behind-its-port: src/client/direct.ts → src/log/log.ts',
  'no-circular: src/state/one.ts → src/state/two.ts',
  'no-unresolvable: src/client/lost.ts → ./notThere.ts',
  'room-exchange: src/client/exchange/up.ts → src/client/session/session.ts',
  'src-needs-no-tools: src/client/tool.ts → vitest',
  'src-runs-in-a-browser: src/client/node.ts → fs',
  'what-ships-needs-no-tests: harness/helped.ts → e2e/specs/helper.ts',
  'targets-know-nothing-of-src: targets/cli.ts → src/base/result.ts',
];

interface Report {
  readonly summary: {
    readonly violations: readonly { from: string; to: string; rule: { name: string } }[];
  };
}

/** Packages lie behind a link, and their path is long. */
const packageOr = (path: string): string => /.*node_modules\/([^/]+)/.exec(path)?.[1] ?? path;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reprise-imports-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [path, source] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), source);
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('every import rule is enforced, in .ts and in .svelte files', { timeout: 60_000 }, () => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      commandOf('dependency-cruiser', 'depcruise'),
      ...[
        '--config',
        join(ROOT, '.dependency-cruiser.cjs'),
        '--output-type',
        'json',
        'src',
        'harness',
        'targets',
      ],
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  const { summary } = JSON.parse(stdout) as Report;
  const found = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${packageOr(to)}`);
  expect(found.toSorted()).toEqual(FORBIDDEN.toSorted());
});
