/** The public conformance suite against the `resumable` target: every scored scenario, and the two about resumption. */
import { startTarget } from '../targets/startTarget.ts';
import { printResult, runScenario, type ScenarioResult } from './runScenario.ts';
import { installSuite, scoredScenarios } from './suite.ts';

const REVISION = '2025-11-25';
const UNSCORED = ['server-sse-polling', 'server-session-lifecycle'];

const suite = installSuite();
const scored = scoredScenarios(suite, 'Server', REVISION);
const target = await startTarget('resumable');
const results: ScenarioResult[] = [];
for (const scenario of [...scored, ...UNSCORED]) {
  const result = await runScenario(suite, scenario, [
    'server',
    '--url',
    target.url,
    '--spec-version',
    REVISION,
  ]);
  printResult(result);
  results.push(result);
}
await target.close();

const passed = (names: readonly string[]) =>
  results.filter(({ scenario, verdict }) => names.includes(scenario) && verdict === 'pass').length;
console.log(
  `\nserver ${REVISION}: ${passed(scored)} of ${scored.length} scored, ${passed(UNSCORED)} of ${UNSCORED.length} beside`,
);
const total = passed([...scored, ...UNSCORED]);
console.log(`${total} passed, ${results.length - total} failed`);
if (total < results.length || scored.length === 0) process.exitCode = 1;
