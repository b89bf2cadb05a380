/** What is found out about a server before the first scenario: who it is, what a page may do, which tool to call. */
import type { BrowserContext } from '@playwright/test';
import { bridgeNote } from '../src/base/bridgeWords.ts';
import type { JsonObject } from '../src/base/json.ts';
import { chooseTool, requiredArguments, type ChosenTool } from './chooseTool.ts';
import type { Context, Opened } from './context.ts';
import type { ConnectOptions, Tool } from './contract.ts';
import { DEFAULT_WORKERS } from './defaultWorkers.ts';
import { HarnessError } from './harnessError.ts';
import { seededRandom } from './moment.ts';
import { callsNoTool } from './needs.ts';
import type { BrowserHost } from './page/browserHost.ts';
import { Inspector } from './page/inspector.ts';
import type { Stage } from './page/stage.ts';
import { probeCors } from './probe/cors.ts';
import { RawSession } from './probe/rawSession.ts';
import { findLongTool } from './probe/findLongTool.ts';
import { openRaw, reach } from './probe/reach.ts';
import { saysTheSameEachTime } from './scenarios/control.ts';
import type { Progress, VerifyOptions } from './verify.ts';

export interface Prepared {
  readonly context: Context;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  /** Closes the page of the first look, if no scenario has used it. */
  close(): Promise<void>;
}

export async function prepare(options: VerifyOptions, stage: Stage, progress: Progress): Promise<Prepared> {
  const { url, bearer, revision } = options;
  const headers = { ...options.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) };
  const newRawSession = () => RawSession.open(url, headers);
  const newRawServer = () => openRaw(url, headers, revision);
  // Started while the server is asked who it is: either takes a second.
  stage.browser({ withoutCors: false }).catch(() => undefined);
  const reached = await reach(url, headers, revision);
  const { era, isDual, tasks, hasSession, server, protocolVersion, tools, capabilities, bridge } = reached;
  progress.say(
    `${server.name} ${server.version}, MCP ${protocolVersion}, ${hasSession ? 'sessions' : 'no sessions'}${tasks ? ', tasks' : ''}`,
  );
  if (bridge) progress.say(`Note: ${bridgeNote(bridge)}.`);

  const callsTools = !callsNoTool(options.scenarios ?? ['control']);
  const tool =
    decideTool(options, tools) ?? (callsTools ? await findLongTool(newRawServer, tools) : undefined);
  if (callsTools) progress.say(tool ? sayTool(tool, options) : sayNoTool(tools));

  // By itself a page looks for sessions no longer than a moment. What is judged here must not depend on that.
  const revisionOfPages = isDual ? 'session' : revision;
  const connectOptions: ConnectOptions = {
    ...(bearer !== undefined && { bearer }),
    ...(revisionOfPages !== undefined && { revision: revisionOfPages }),
    ...(Object.keys(options.headers).length > 0 && { headers: { ...options.headers } }),
  };
  const cors = await probeCors(url, new URL(stage.site.url).origin, headers, era);
  const access = await tryPage(options, stage, connectOptions, progress, cors.problems.length > 0);
  const { browser, blocked, withoutCors } = access;
  let firstPage = access.opened;
  const takeFirstPage = (): Opened | undefined => {
    const opened = firstPage;
    firstPage = undefined;
    return opened;
  };
  const { timeoutMs, reloads, seed } = options;
  const openIn = async (tab: BrowserContext): Promise<Opened> => {
    const { opened, why } = await connectPage(tab, stage.site.url, url, connectOptions, timeoutMs);
    if (!opened) throw new Error(`the page couldn't connect: ${why}`);
    return opened;
  };
  let steady: Promise<boolean> | undefined;
  const context: Context = {
    url,
    site: stage.site.url,
    browser,
    withoutCors,
    connectOptions,
    tools,
    tool,
    expectError: options.expectError === true,
    cors,
    blocked,
    era,
    hasSession,
    tasks,
    bridge,
    control: undefined,
    isSteady: () => (steady ??= saysTheSameEachTime(context)),
    workers: options.workers ?? DEFAULT_WORKERS,
    timeoutMs,
    reloads,
    random: seededRandom(seed),
    newRawSession,
    newRawServer,
    // The page that has shown that one can connect serves the control call, too.
    open: async (proxy) =>
      (proxy === undefined ? takeFirstPage() : undefined) ?? openIn(await browser.newContext(proxy)),
    openIn,
    close: (tab) => tab.close(),
  };
  const close = async (): Promise<void> => takeFirstPage()?.context.close();
  return { context, server, protocolVersion, capabilities, close };
}

interface Access {
  readonly browser: BrowserHost;
  readonly blocked: string | undefined;
  readonly withoutCors: boolean;
  /** A page that is connected. */
  readonly opened?: Opened;
}

/** As a browser sees it first; in one that does not enforce CORS only if that was asked for. */
async function tryPage(
  { url, allowNoCors, timeoutMs }: VerifyOptions,
  stage: Stage,
  connectOptions: ConnectOptions,
  progress: Progress,
  isLimited: boolean,
): Promise<Access> {
  const open = async (browser: BrowserHost) =>
    connectPage(await browser.newContext(), stage.site.url, url, connectOptions, timeoutMs);
  const browser = await stage.browser({ withoutCors: false });
  const { opened, why } = await open(browser);
  // A page may connect, and still not be allowed what it needs later, such as Last-Event-ID.
  if (opened && !(isLimited && allowNoCors)) {
    return { browser, blocked: undefined, withoutCors: false, opened };
  }
  await opened?.context.close();
  if (why !== undefined) progress.say(`Browsers can't connect: ${why}`);
  if (!allowNoCors) return { browser, blocked: `Browsers can't connect: ${why}`, withoutCors: false };
  progress.say('Continuing without CORS enforcement (--allow-no-cors).');
  const loose = await stage.browser({ withoutCors: true });
  const still = await open(loose);
  return {
    browser: loose,
    blocked: still.why && `Browsers can't connect: ${still.why}`,
    withoutCors: true,
    ...(still.opened && { opened: still.opened }),
  };
}

/** A page that is connected, or why it isn't. */
async function connectPage(
  context: BrowserContext,
  site: string,
  url: string,
  connectOptions: ConnectOptions,
  timeoutMs: number,
): Promise<{ opened: Opened; why?: undefined } | { opened?: undefined; why: string }> {
  let session: string | undefined;
  context.on('request', (request) => {
    if (request.url() === url) session = request.headers()['mcp-session-id'] ?? session;
  });
  try {
    const inspector = await Inspector.open(context, site, { timeoutMs });
    const state = await inspector.connect(url, connectOptions);
    if (state.name === 'connected') return { opened: { inspector, context, sessionId: () => session } };
    await context.close();
    return { why: state.name === 'failed' ? state.why : `connection state: ${state.name}.` };
  } catch (error) {
    await context.close();
    throw error;
  }
}

function decideTool({ tool, args }: VerifyOptions, tools: readonly Tool[]): ChosenTool | undefined {
  if (tool === undefined) {
    const found = chooseTool(tools);
    return found && args ? { ...found, args } : found;
  }
  const found = tools.find(({ name }) => name === tool);
  if (!found) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new HarnessError('usage', `Unknown tool "${tool}". Available: ${names || 'none'}.`);
  }
  if (args) return { name: tool, args, why: 'set with --tool' };
  const filled = requiredArguments(found);
  const isFilled = Object.keys(filled).length > 0;
  return { name: tool, args: filled, why: `set with --tool${isFilled ? FILLED : ''}` };
}

const FILLED = '; required arguments filled in from its schema (set others with --args)';

/** Any tool may change something, so none is called that doesn't say it does not. */
function sayNoTool(tools: readonly Tool[]): string {
  const names = tools.map(({ name }) => name).join(', ');
  if (names === '') return 'The server has no tools, so no call can be interrupted.';
  return (
    'Found no long-running tool that is marked as read-only (readOnlyHint). ' +
    `Specify one that is safe to call about 20 times with --tool and --args. Available: ${names}.`
  );
}

function sayTool({ name, args, why }: ChosenTool, { tool }: VerifyOptions): string {
  const reason = tool === undefined ? `chosen automatically: ${why}` : why;
  return `Calling ${name} ${JSON.stringify(args)} (${reason}).`;
}
