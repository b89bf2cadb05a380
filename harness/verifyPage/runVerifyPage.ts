/** Runs `verify-page`: the script, the browser, the scenarios, the reports, and the exit code. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printable } from '../cli/printable.ts';
import { startServer } from '../cli/startServer.ts';
import { HarnessError } from '../harnessError.ts';
import { BrowserHost } from '../page/browserHost.ts';
import type { PageScript } from '../playwright/wireTypes.ts';
import type { PageReport } from './facts.ts';
import { drawPageHtml } from './html.ts';
import { drawPageJunit } from './junit.ts';
import { PAGE_GRADES } from './letter.ts';
import type { VerifyPageCommand } from './options.ts';
import { describePage, resultLine } from './text.ts';
import { keyOfResult, verifyPage } from './verifyPage.ts';

/** How long the command of `--start` may take until it listens. */
const START_MS = 60_000;

export async function runVerifyPage(command: VerifyPageCommand): Promise<number> {
  if (command.start === undefined) return runReachable(command);
  const server = await startServer(command.start, command.pageUrl, { timeoutMs: START_MS });
  try {
    return await runReachable(command);
  } finally {
    await server.close();
  }
}

async function runReachable(command: VerifyPageCommand): Promise<number> {
  const script = await loadScript(command.script);
  const expectedFailures =
    command.expectedFailures === undefined ? undefined : await readLines(command.expectedFailures);
  await reach(command.pageUrl);
  const isPiped = command.output.json === true || command.output.junit === true;
  const say = (text: string): void => (isPiped ? console.error : console.log)(printable(text));
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const browser = await BrowserHost.start({ ...command, withoutCors: false });
  const { name, version } = browser.described;
  const browserName = `${name} ${version}`;
  try {
    const tools = Object.keys(script.tools ?? {}).join(', ');
    say(
      `Page ${command.pageUrl}, ${tools === '' ? '' : `tool ${tools}, `}${browserName}, seed ${command.seed}`,
    );
    const report = await verifyPage(
      { ...command, script, expectedFailures, browser: browserName, newContext: () => browser.newContext() },
      (result) => say(resultLine(result)),
      abort.signal,
    );
    say(describePage(report));
    await writePageReports(report, command, say);
    return exitCodeOfPage(report, command, say);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await browser.close();
  }
}

async function loadScript(file: string): Promise<PageScript> {
  let loaded: Partial<PageScript>;
  try {
    loaded = (await import(pathToFileURL(resolve(file)).href)) as Partial<PageScript>;
  } catch (error) {
    throw new HarnessError(
      'usage',
      `Can't load the script ${file}. ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const { start, done } = loaded;
  if (typeof start !== 'function' || typeof done !== 'function')
    throw new HarnessError(
      'usage',
      `The script ${file} must export the functions start(page, { serverUrl }) and done(page).`,
    );
  return { ...loaded, start, done };
}

async function readLines(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new HarnessError('usage', `Can't read ${file}.`);
  });
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}

async function reach(url: string): Promise<void> {
  try {
    const response = await fetch(url, { redirect: 'manual' });
    await response.body?.cancel();
  } catch {
    throw new HarnessError(
      'unreachable',
      `No response from ${url}. Start the page first, or add --start "<command>".`,
    );
  }
}

async function writePageReports(
  report: PageReport,
  { output }: VerifyPageCommand,
  say: (text: string) => void,
): Promise<void> {
  const json = `${JSON.stringify(report, undefined, 2)}\n`;
  const write = async (to: string | true | undefined, text: string): Promise<void> => {
    if (to === undefined) return;
    if (to === true) return void process.stdout.write(text);
    const file = resolve(to);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    say(`Wrote ${file}`);
  };
  await write(output.json, json);
  await write(output.junit, drawPageJunit(report));
  if (output.html === undefined) return;
  await write(join(output.html, 'index.html'), drawPageHtml(report));
  await write(join(output.html, 'report.json'), json);
  await write(join(output.html, 'junit.xml'), drawPageJunit(report));
}

export function exitCodeOfPage(
  report: PageReport,
  { require }: Pick<VerifyPageCommand, 'require'>,
  say: (text: string) => void = () => undefined,
): number {
  const { results, expectedFailures = [], incomplete, grade } = report;
  if (incomplete !== undefined) return 130;
  const failed = results.filter(({ verdict }) => verdict === 'fail').map(keyOfResult);
  if (!results.some(({ letter }) => letter !== undefined)) return 4;
  const stale = results
    .filter(({ verdict }) => verdict === 'pass')
    .map(keyOfResult)
    .filter((key) => expectedFailures.includes(key));
  if (stale.length > 0)
    say(`Expected to fail, but passed: ${stale.join(', ')}. Remove them from --expected-failures.`);
  if (failed.some((key) => !expectedFailures.includes(key)) || stale.length > 0) return 1;
  if (require === undefined) return 0;
  const isLess = PAGE_GRADES.findIndex((one) => one === grade) > PAGE_GRADES.indexOf(require);
  if (isLess) say(`The grade is "${grade}", but --require is "${require}".`);
  return isLess ? 1 : 0;
}
