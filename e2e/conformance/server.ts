/**
 * The public conformance suite against the targets: every scored scenario of both revisions, the two about resumption,
 * and those of the tasks extension. (In this version of the suite `tasks-status-notifications` has no check: its `run` answers
 * SKIPPED without a word to the server, "pending subscriptions/listen rewrite". `targets/tasks.test.ts` has them.) A revision or scenarios can be named: `server.ts 2026-07-28 tools-list`.
 */
import { startTarget } from '../../targets/startTarget.ts';
import { printResult, runScenario, type ScenarioResult } from './runScenario.ts';
import { installSuite, listedScenarios, scoredScenarios } from './suite.ts';

interface Round {
  readonly profile: string;
  readonly revision: string;
  readonly what: string;
  readonly scenarios: readonly string[];
}

const SESSIONS = '2025-11-25';
const STATELESS = '2026-07-28';

const suite = installSuite();
const rounds: readonly Round[] = [
  {
    profile: 'resumable',
    revision: SESSIONS,
    what: 'scored',
    scenarios: scoredScenarios(suite, 'Server', SESSIONS),
  },
  {
    profile: 'resumable',
    revision: SESSIONS,
    what: 'about resumption',
    scenarios: ['server-sse-polling', 'server-session-lifecycle'],
  },
  {
    profile: 'modern',
    revision: STATELESS,
    what: 'scored',
    scenarios: scoredScenarios(suite, 'Server', STATELESS),
  },
  {
    profile: 'modern-tasks',
    revision: STATELESS,
    what: 'of the tasks extension',
    scenarios: listedScenarios(suite, STATELESS).filter((name) => name.startsWith('tasks-')),
  },
];

const named = process.argv.slice(2);
const revisions = [SESSIONS, STATELESS].filter((revision) => named.includes(revision));
const only = named.filter((name) => !revisions.includes(name));
const lines: string[] = [];
let [passed, failed] = [0, 0];
for (const { profile, revision, what, scenarios } of rounds) {
  if (revisions.length > 0 && !revisions.includes(revision)) continue;
  const wanted = scenarios.filter((name) => only.length === 0 || only.includes(name));
  if (scenarios.length === 0) throw new Error(`The suite lists no scenarios ${what} for ${revision}.`);
  if (wanted.length === 0) continue;
  const results = await runRound(profile, revision, wanted);
  const good = results.filter(({ verdict }) => verdict === 'pass').length;
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').length;
  const rest = skipped > 0 ? `, ${skipped} skipped by the suite itself` : '';
  lines.push(`server ${revision} on ${profile}: ${good} of ${wanted.length} ${what}${rest}`);
  passed += good;
  failed += results.length - good - skipped;
}
console.log(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;

async function runRound(
  profile: string,
  revision: string,
  scenarios: readonly string[],
): Promise<readonly ScenarioResult[]> {
  const target = await startTarget(profile);
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    // An extension's scenario belongs to no revision: it is run when that is asked for.
    const force = scenario.startsWith('tasks-') ? ['--force'] : [];
    const args = ['server', '--url', target.url, '--spec-version', revision, ...force];
    const result = await runScenario(suite, scenario, args);
    printResult(result);
    results.push(result);
  }
  await target.close();
  return results;
}
