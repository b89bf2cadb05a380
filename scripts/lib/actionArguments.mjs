/** The command line of `mcp-reprise` from the inputs of the GitHub Action. Pure. */

/** Inputs that are options of the same meaning, in both commands. */
const OPTIONS = {
  START: '--start',
  TOOL: '--tool',
  ARGS: '--args',
  SCENARIOS: '--scenario',
  EXPECTED_FAILURES: '--expected-failures',
  REQUIRE: '--require',
  SHARD: '--shard',
  COMPARE: '--compare',
};

/**
 * @param {Readonly<Record<string, string | undefined>>} env with `INPUT_…`, as `action.yml` sets them
 * @returns {string[]}
 */
export function actionArguments(env) {
  const input = (/** @type {string} */ name) => (env[`INPUT_${name}`] ?? '').trim();
  const places = ['URL', 'STDIO', 'TARGETS', 'PAGE'].filter((name) => input(name) !== '');
  if (places.length !== 1) throw new Error('Set exactly one of the inputs url, stdio, targets and page.');
  const report = input('REPORT') || 'mcp-reprise-report';
  return [
    ...placeOf(places[0] ?? '', input),
    ...Object.entries(OPTIONS).flatMap(([name, option]) => (input(name) === '' ? [] : [option, input(name)])),
    ...(input('QUICK') === 'true' ? ['--quick'] : []),
    '--html',
    report,
    ...(input('PAGE') === '' ? ['--badge', `${report}/badge.json`, '--traces', `${report}/traces`] : []),
    ...input('OPTIONS')
      .split('\n')
      .flatMap((line) => optionIn(line.trim())),
  ];
}

/**
 * @param {string} place
 * @param {(name: string) => string} input
 */
function placeOf(place, input) {
  switch (place) {
    case 'STDIO':
      return ['verify', '--stdio', input('STDIO')];
    case 'TARGETS':
      return ['verify', '--targets', input('TARGETS')];
    case 'PAGE':
      return ['verify-page', input('PAGE'), '--script', input('SCRIPT')];
    default:
      return ['verify', input('URL')];
  }
}

/**
 * A value may have spaces: only the first one ends the name.
 *
 * @param {string} line such as `--header X-Key: env:KEY`
 */
function optionIn(line) {
  if (line === '') return [];
  const [, name = line, value] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
  return value === undefined ? [name] : [name, value];
}
