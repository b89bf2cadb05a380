/** What is found out about a server before the first scenario: who it is, what a page may do, which tool to call. */
import type { BrowserContext } from '@playwright/test';
import { chooseTool, type ChosenTool } from './chooseTool.ts';
import type { Context, Opened } from './context.ts';
import type { ConnectOptions, Tool } from './contract.ts';
import { HarnessError } from './harnessError.ts';
import { seededRandom } from './moment.ts';
import type { BrowserHost } from './page/browserHost.ts';
import { Inspector } from './page/inspector.ts';
import type { Stage } from './page/stage.ts';
import { probeCors } from './probe/cors.ts';
import { RawSession } from './probe/rawSession.ts';
import { openRaw, reach } from './probe/reach.ts';
import type { Progress, VerifyOptions } from './verify.ts';

export interface Prepared {
  readonly context: Context;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
}

export async function prepare(options: VerifyOptions, stage: Stage, progress: Progress): Promise<Prepared> {
  const { url, bearer } = options;
  const headers = { ...options.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) };
  const newRawSession = () => RawSession.open(url, headers);
  const newRawServer = () => openRaw(url, headers);
  const { era, tasks, hasSession, server, protocolVersion, tools } = await reach(url, headers);
  progress.say(
    `${server.name} ${server.version}, MCP ${protocolVersion}, ${hasSession ? 'with' : 'without'} sessions${tasks ? ', with tasks' : ''}`,
  );

  const tool = decideTool(options, tools);
  progress.say(
    tool ? sayTool(tool, options) : 'No tool here seems to take a while. Name one with --tool and --args.',
  );

  const connectOptions: ConnectOptions = {
    ...(bearer !== undefined && { bearer }),
    ...(Object.keys(options.headers).length > 0 && { headers: { ...options.headers } }),
  };
  const cors = await probeCors(url, new URL(stage.site.url).origin, headers, era);
  const access = await tryPage(options, stage, connectOptions, progress);
  const { browser, blocked, withoutCors } = access;
  const { timeoutMs, reloads, seed } = options;
  const context: Context = {
    url,
    site: stage.site.url,
    browser,
    withoutCors,
    connectOptions,
    tools,
    tool,
    cors,
    blocked,
    era,
    hasSession,
    tasks,
    control: undefined,
    timeoutMs,
    reloads,
    random: seededRandom(seed),
    newRawSession,
    newRawServer,
    open: async (proxy) =>
      openPage(await browser.newContext(proxy), stage.site.url, url, connectOptions, timeoutMs),
  };
  return { context, server, protocolVersion };
}

interface Access {
  readonly browser: BrowserHost;
  readonly blocked: string | undefined;
  readonly withoutCors: boolean;
}

/** As a browser sees it first; in one that does not enforce CORS only if that was asked for. */
async function tryPage(
  { url, allowNoCors, timeoutMs }: VerifyOptions,
  stage: Stage,
  connectOptions: ConnectOptions,
  progress: Progress,
): Promise<Access> {
  const browser = await stage.browser({ withoutCors: false });
  const why = await whyBlocked(browser, stage.site.url, url, connectOptions, timeoutMs);
  if (why === undefined) return { browser, blocked: undefined, withoutCors: false };
  progress.say(`No page can connect: ${why}`);
  if (!allowNoCors) return { browser, blocked: `No page can connect: ${why}`, withoutCors: false };
  progress.say('Going on in a browser that does not enforce CORS (--allow-no-cors).');
  const loose = await stage.browser({ withoutCors: true });
  const still = await whyBlocked(loose, stage.site.url, url, connectOptions, timeoutMs);
  return { browser: loose, blocked: still && `No page can connect: ${still}`, withoutCors: true };
}

async function whyBlocked(
  browser: BrowserHost,
  site: string,
  url: string,
  connectOptions: ConnectOptions,
  timeoutMs: number,
): Promise<string | undefined> {
  const context = await browser.newContext();
  try {
    const inspector = await Inspector.open(context, site, { timeoutMs });
    const state = await inspector.connect(url, connectOptions);
    if (state.name === 'connected') return undefined;
    return state.name === 'failed' ? state.why : `the page is ${state.name}.`;
  } finally {
    await context.close();
  }
}

async function openPage(
  context: BrowserContext,
  site: string,
  url: string,
  connectOptions: ConnectOptions,
  timeoutMs: number,
): Promise<Opened> {
  let session: string | undefined;
  context.on('request', (request) => {
    if (request.url() === url) session = request.headers()['mcp-session-id'] ?? session;
  });
  const inspector = await Inspector.open(context, site, { timeoutMs });
  const state = await inspector.connect(url, connectOptions);
  if (state.name !== 'connected') {
    await context.close();
    throw new Error(`the page could not connect: ${state.name === 'failed' ? state.why : state.name}`);
  }
  return { inspector, context, sessionId: () => session };
}

function decideTool({ tool, args }: VerifyOptions, tools: readonly Tool[]): ChosenTool | undefined {
  if (tool === undefined) {
    const found = chooseTool(tools);
    return found && args ? { ...found, args } : found;
  }
  if (!tools.some(({ name }) => name === tool)) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new HarnessError('usage', `This server has no tool "${tool}". It has: ${names || 'none'}.`);
  }
  return { name: tool, args: args ?? {}, why: 'named with --tool' };
}

function sayTool({ name, args, why }: ChosenTool, { tool }: VerifyOptions): string {
  const reason = tool === undefined ? `, chosen because ${why}` : '';
  return `Calling ${name} ${JSON.stringify(args)}${reason}.`;
}
