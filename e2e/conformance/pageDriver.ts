/** Somebody at the real page: connects, clicks "Log in" when the page asks for it, and does what a scenario asks for. */
import type { Page } from '@playwright/test';
import type { Reprise } from '../../src/client/console/reprise.ts';

declare global {
  interface Window {
    reprise: Reprise;
    beforeLogin?: true;
  }
}

export interface Task {
  readonly url: string;
  readonly scenario: string;
  /** What the suite tells the client beside the address: credentials or calls, for some scenarios. */
  readonly context: {
    readonly client_id?: string;
    readonly client_secret?: string;
    readonly toolCalls?: readonly ToolCall[];
  };
}

interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** The address that the suite expects of clients that are described by a document. */
const METADATA_DOCUMENT = 'https://conformance-test.local/client-metadata.json';
/** More than any scenario needs, so that it is the page that stops. */
const MAX_LOGINS = 6;

const ARGUMENTS: Readonly<Record<string, object>> = {
  add_numbers: { a: 5, b: 3 },
  valid_tool: { region: 'us-west1' },
};

export async function carryOut(page: Page, site: string, { url, scenario, context }: Task): Promise<void> {
  await page.goto(site);
  await ready(page);
  const clientId = scenario === 'auth/basic-cimd' ? METADATA_DOCUMENT : context.client_id;
  const clientSecret = context.client_secret;
  const options = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
  await page.evaluate(([u, o]) => window.reprise.connect(u, o), [url, options] as const);
  for (let logins = 0; logins <= MAX_LOGINS; logins += 1) {
    if (!(await isAskedToLogIn(page))) await useTools(page, scenario, context.toolCalls);
    if (!(await isAskedToLogIn(page)) || logins === MAX_LOGINS) return;
    await logIn(page);
  }
}

/** Calls what the scenario names, or else every tool that the page lists. */
async function useTools(page: Page, scenario: string, named?: readonly ToolCall[]): Promise<void> {
  if (scenario === 'initialize') return;
  const tools = await page.evaluate(() => window.reprise.tools().catch(() => []));
  const all = tools.map(({ name }) => {
    const isEcho = /echo/i.test(name) && scenario.startsWith('json-schema-2020');
    const schema = tools.find((other) => other.name !== name)?.inputSchema;
    return { name, arguments: isEcho ? { schema } : (ARGUMENTS[name] ?? {}) };
  });
  for (const { name, arguments: args } of named ?? all) {
    const call = page.evaluate(([t, a]) => window.reprise.call(t, a), [name, args] as const);
    const id = await call.catch(() => undefined);
    if (id === undefined) return;
    await acceptQuestions(page, id);
    if (await isAskedToLogIn(page)) return;
  }
}

/** Follows a call to its end. Each form is accepted as it is: with the defaults that the server gave. */
async function acceptQuestions(page: Page, callId: string): Promise<void> {
  for (;;) {
    const found = await page.waitForFunction(
      (id) => {
        const call = window.reprise.calls().find((one) => one.id === id);
        const asked = window.reprise.questions().map((question) => question.id);
        return call?.settledAt === undefined ? asked.length > 0 && asked : 'ended';
      },
      callId,
      { timeout: 20_000 },
    );
    const asked = await found.jsonValue();
    if (!Array.isArray(asked)) return;
    const submit = await page.getByRole('button', { name: 'Submit', exact: true }).first().elementHandle();
    await submit?.click();
    // A form stays for a moment, and must not be taken for the next one.
    await submit?.waitForElementState('hidden');
    await page.waitForFunction((before) => {
      const pending = new Set(window.reprise.questions().map(({ id }) => id));
      return !before.every((id) => pending.has(id));
    }, asked);
  }
}

async function logIn(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.beforeLogin = true;
  });
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForFunction(() => window.beforeLogin === undefined && 'reprise' in window);
  await ready(page);
}

/**
 * Read from the state of the page, and from no clock: a busy machine may take seconds from the refusal to the button,
 * which can be used once the metadata is read.
 */
async function isAskedToLogIn(page: Page): Promise<boolean> {
  await page.waitForFunction(
    () => !['idle', 'connecting', 'reconnecting'].includes(window.reprise.state().name),
  );
  const isAsked = await page.evaluate(async () => {
    // What a refused call leaves behind is stored with it.
    await window.reprise.stored();
    const state = window.reprise.state();
    return state.name === 'authorizing' && state.ask === 'login';
  });
  if (!isAsked) return false;
  const usable = (name: string) => page.getByRole('button', { name, exact: true, disabled: false });
  await usable('Log in').or(usable('Continue anyway')).first().waitFor();
  return usable('Log in').isVisible();
}

async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => 'reprise' in window);
  await page.evaluate(() => window.reprise.ready);
}
