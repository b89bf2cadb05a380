/** The command line of `verify-page`, read into data. Pure. */
import { parseArgs } from 'node:util';
import { HarnessError } from '../harnessError.ts';
import { suggest } from '../cli/suggest.ts';
import { readBrowserName, type BrowserName } from '../page/browserName.ts';
import { PAGE_TARGETS, SCENARIO_NAMES } from './cases.ts';
import { PAGE_GRADES, type PageGrade } from './letter.ts';

export interface VerifyPageCommand {
  readonly pageUrl: string;
  readonly script: string;
  readonly targets?: readonly string[];
  readonly scenarios?: readonly string[];
  readonly serverUrl?: string;
  /** A shell command that starts the page's own web server. */
  readonly start?: string;
  readonly browser: BrowserName;
  readonly seed: number;
  readonly workers: number;
  readonly timeoutMs: number;
  readonly headed: boolean;
  readonly expectedFailures?: string;
  readonly require?: PageGrade;
  readonly output: { readonly json?: string | true; readonly junit?: string | true; readonly html?: string };
}

export const VERIFY_PAGE_USAGE = `Usage: mcp-reprise verify-page <page url> --script <file> [options]

  --script <file>       exports start(page, { pageUrl, serverUrl }) and done(page); optional: lost(page), tools
  --target <name>       use only this test server (repeatable, or a list with commas; default: all)
  --scenario <name>     run only this scenario (repeatable, or a list with commas; default: all)
  --quick               use only the test server resumable
  --server <url>        use your server instead of the test servers
  --start <command>     start the page's web server with this shell command, and end it after the run
  --browser <name>      chromium, firefox or webkit (default: chromium)
  --seed <n>            varies when the call is interrupted (default: 1)
  --workers <n>         scenarios to run in parallel (default: 2)
  --timeout <seconds>   timeout without an event on the wire (default: 10)
  --headed              show the browser
  --expected-failures <file>  scenarios that may fail, such as resumable/reload-twice, one per line
  --require <grade>     ${PAGE_GRADES.slice(0, 2).join(' or ')}; anything less fails the run
  --json [file.json]    write JSON to stdout or a file
  --junit [file.xml]    write JUnit XML to stdout or a file
  --html <folder>       write an HTML report, plus JSON and JUnit

Test servers: ${PAGE_TARGETS.map(({ name }) => name).join(', ')}
Scenarios: ${SCENARIO_NAMES.join(', ')}

Example:
  mcp-reprise verify-page http://localhost:5173 --script play.mjs --html report

Exit codes: 0 passed, 1 failed, 2 usage error, 3 page unreachable, 4 nothing could be tested, 5 can't run (for example no
browser), 130 interrupted.`;

const OPTIONS = {
  script: { type: 'string' },
  target: { type: 'string', multiple: true },
  scenario: { type: 'string', multiple: true },
  quick: { type: 'boolean', default: false },
  server: { type: 'string' },
  start: { type: 'string' },
  browser: { type: 'string', default: 'chromium' },
  seed: { type: 'string', default: '1' },
  workers: { type: 'string', default: '2' },
  timeout: { type: 'string', default: '10' },
  headed: { type: 'boolean', default: false },
  'expected-failures': { type: 'string' },
  require: { type: 'string' },
  json: { type: 'boolean', default: false },
  junit: { type: 'boolean', default: false },
  html: { type: 'string' },
} as const;

export function parseVerifyPage(args: readonly string[]): VerifyPageCommand {
  const { values, positionals } = parse(args);
  const json = positionals.find((one) => one.endsWith('.json'));
  const junit = positionals.find((one) => one.endsWith('.xml'));
  const rest = positionals.filter((one) => one !== json && one !== junit);
  const [pageUrl, ...more] = rest;
  if (
    pageUrl === undefined ||
    more.length > 0 ||
    !/^https?:$/.test(URL.canParse(pageUrl) ? new URL(pageUrl).protocol : '')
  )
    throw usage('Missing page URL: mcp-reprise verify-page http://localhost:5173 --script play.mjs');
  if (values.script === undefined)
    throw usage('Missing --script <file>, which exports start(page, { serverUrl }) and done(page).');
  if (values.start?.trim() === '') throw usage('--start requires a command, such as "npm run dev".');
  const browser = readBrowserName(values.browser);
  const { require } = values;
  const grade = PAGE_GRADES.find((one) => one === require);
  if (require !== undefined && grade === undefined)
    throw usage(`--require must be one of: ${PAGE_GRADES.join(', ')}.`);
  const targets = values.quick
    ? ['resumable']
    : listed(
        values.target,
        PAGE_TARGETS.map(({ name }) => name),
        '--target',
      );
  const scenarios = listed(values.scenario, SCENARIO_NAMES, '--scenario');
  return {
    pageUrl,
    script: values.script,
    ...(targets && { targets }),
    ...(scenarios && { scenarios }),
    // Its own server is one of which nothing is known: it is judged as one that can resume.
    ...(values.server !== undefined && { serverUrl: values.server, targets: ['resumable'] }),
    ...(values.start !== undefined && { start: values.start }),
    browser,
    seed: whole(values.seed, '--seed', 0),
    workers: whole(values.workers, '--workers', 1),
    timeoutMs: whole(values.timeout, '--timeout', 1) * 1000,
    headed: values.headed,
    ...(values['expected-failures'] !== undefined && { expectedFailures: values['expected-failures'] }),
    ...(grade && { require: grade }),
    output: {
      ...(values.json && { json: json ?? true }),
      ...(values.junit && { junit: junit ?? true }),
      ...(values.html !== undefined && { html: values.html }),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const word = /'(--[\w-]+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? '';
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw usage(
      word === '' || names.includes(word)
        ? `${word} has no value.`
        : `Unknown option ${word}.${suggest(word, names)}`,
    );
  }
}

function listed(
  given: readonly string[] | undefined,
  known: readonly string[],
  option: string,
): readonly string[] | undefined {
  const names = given?.flatMap((one) => one.split(','));
  const wrong = names?.find((name) => !known.includes(name));
  if (wrong !== undefined) throw usage(`${option}: "${wrong}" is unknown.${suggest(wrong, known)}`);
  return names;
}

function whole(text: string, option: string, least: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw usage(`${option} must be a whole number from ${least} on, not "${text}".`);
  return number;
}

const usage = (text: string): HarnessError => new HarnessError('usage', `${text} --help shows the options.`);
