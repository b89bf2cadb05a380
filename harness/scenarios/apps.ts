/** Views of MCP Apps (SEP-1865): whether they render, and what a reload makes of them. */
import { viewUriOf } from '../../src/apps/toolView.ts';
import { plural } from '../../src/base/format.ts';
import { argumentsFor, requiredArguments } from '../chooseTool.ts';
import type { Context, Finding, Opened, Scenario } from '../context.ts';
import type { Entry, Tool } from '../contract.ts';
import {
  appEntries,
  gotCancelled,
  gotInput,
  gotResult,
  isBlank,
  isInitialized,
  RENDERED_MS,
  untilApp,
} from '../page/appView.ts';

interface AppTool {
  readonly name: string;
  readonly args: object;
}

/** The tool that was named, if it has a view; else one with a view that only reads. */
export function appToolOf({ tools, tool }: Pick<Context, 'tools' | 'tool'>): AppTool | undefined {
  const withView = tools.filter((one) => viewUriOf(one) !== undefined);
  if (tool && withView.some(({ name }) => name === tool.name)) return tool;
  const reads = withView.find(({ annotations }) => annotations?.readOnlyHint === true);
  return reads && { name: reads.name, args: requiredArguments(reads) };
}

interface Shown extends Opened {
  readonly id: string;
  readonly tool: AppTool;
}

/** Calls the tool in a page of its own, and closes that at the end. */
async function withApp(
  context: Context,
  run: (shown: Shown) => Promise<Finding>,
  args: (tool: Tool, chosen: AppTool) => object = (_, { args }) => args,
): Promise<Finding> {
  const chosen = appToolOf(context);
  const definition = context.tools.find(({ name }) => name === chosen?.name);
  if (!chosen || !definition) {
    return {
      verdict: 'skipped',
      why: 'No tool with a view is marked as read-only. Specify one with --tool and --args.',
    };
  }
  const opened = await context.open();
  try {
    const tool = { name: chosen.name, args: args(definition, chosen) };
    const id = await opened.inspector.call(tool.name, tool.args);
    return await run({ ...opened, id, tool });
  } finally {
    await context.close(opened.context);
  }
}

/** Longer than the usual, where the schema lets it be. */
const long = (tool: Tool, chosen: AppTool): object => ({ ...argumentsFor(tool), ...chosen.args });

/** Why there is no view, if there is none. */
async function faultOf(shown: Shown): Promise<Finding | undefined> {
  if (await untilApp(shown, (entries) => isInitialized(entries))) return undefined;
  const wasOpened = (await appEntries(shown.inspector, shown.id)).some(({ step }) => step === 'opened');
  if (wasOpened) {
    return {
      verdict: 'fail',
      cause: 'app-not-initialized',
      why: `The view of “${shown.tool.name}” doesn't send ui/notifications/initialized within ${RENDERED_MS / 1000} s.`,
      fix: 'Send ui/initialize when the view loads, and ui/notifications/initialized after its response.',
    };
  }
  const alert = shown.inspector.page.getByRole('region', { name: 'App', exact: true }).getByRole('alert');
  const said = await alert.textContent({ timeout: 1000 }).catch(() => undefined);
  return {
    verdict: 'fail',
    cause: 'app-no-view',
    why: `The view of “${shown.tool.name}” can't be shown. ${said ?? ''}`.trim(),
    fix: 'Serve the resource of _meta.ui.resourceUri as text/html;profile=mcp-app.',
  };
}

export const appRenders: Scenario = {
  name: 'app-renders',
  summary: 'shows the view of a tool (MCP Apps) with its result',
  needs: ['page', 'app'],
  run: (context) =>
    withApp(context, async (shown) => {
      const fault = await faultOf(shown);
      if (fault) return fault;
      await shown.inspector.untilEnded(shown.id, context.timeoutMs);
      await untilApp(shown, (entries) => gotResult(entries) || gotCancelled(entries));
      return (await isBlank(shown))
        ? {
            verdict: 'fail',
            cause: 'app-blank',
            why: 'The view stays empty after it got its result.',
            fix: 'Show content when ui/notifications/tool-result has arrived.',
          }
        : { verdict: 'pass', why: 'The view is initialized, got its input and result, and shows content.' };
    }),
};

export const appReload: Scenario = {
  name: 'app-reload',
  summary: 'reloads the page when the view of a tool is shown',
  needs: ['page', 'app'],
  run: (context) =>
    withApp(context, async (shown) => {
      const fault = await faultOf(shown);
      if (fault) return { verdict: 'skipped', why: `No view to reload. ${fault.why}` };
      await shown.inspector.untilEnded(shown.id, context.timeoutMs);
      await untilApp(shown, gotResult);
      const wasBlank = await isBlank(shown);
      await shown.inspector.reload();
      const isBack = await untilApp(
        shown,
        (entries) => isInitialized(entries) && gotInput(entries) && gotResult(entries),
      );
      if (!isBack || (!wasBlank && (await isBlank(shown)))) return LOST_VIEW;
      return { verdict: 'pass', why: 'After the reload, the view shows the same input and result again.' };
    }),
};

const LOST_VIEW: Finding = {
  verdict: 'fail',
  cause: 'app-blank-after-reload',
  why: 'After a reload the view stays empty, although it got the same input and result again.',
  fix: 'Draw the view only from ui/notifications/tool-input and tool-result. Store other state under _meta.viewUUID.',
};

export const appReloadMidCall: Scenario = {
  name: 'app-reload-mid-call',
  summary: 'reloads the page while the call of a view runs',
  needs: ['page', 'app', 'session'],
  run: (context) =>
    withApp(
      context,
      async (shown) => {
        const { inspector, id } = shown;
        if (await faultOf(shown)) return { verdict: 'skipped', why: 'No view to reload.' };
        if ((await inspector.callNamed(id)).settledAt !== undefined) return TOO_FAST;
        await inspector.reload();
        if (!(await untilApp(shown, gotInput))) return LOST_VIEW;
        const { name } = await inspector.untilEnded(id, context.timeoutMs);
        const isTold = await untilApp(shown, (entries) => gotResult(entries) || gotCancelled(entries));
        if (!isTold || (await isBlank(shown))) return LOST_VIEW;
        return {
          verdict: 'pass',
          why: `The view got its input after the reload, and then the end of its call (${name}).`,
        };
      },
      long,
    ),
};

const TOO_FAST: Finding = {
  verdict: 'skipped',
  why: 'The call finished before the reload. Specify a longer one with --tool and --args.',
};

export const appLostCall: Scenario = {
  name: 'app-lost-call',
  summary: 'ends the session while the call of a view runs, and reloads the page',
  needs: ['page', 'app', 'session'],
  run: (context) =>
    withApp(
      context,
      async (shown) => {
        const { inspector, id, sessionId } = shown;
        if (await faultOf(shown)) return { verdict: 'skipped', why: 'No view to reload.' };
        if ((await inspector.callNamed(id)).settledAt !== undefined) return TOO_FAST;
        const raw = await context.newRawSession();
        const own = raw.sessionId;
        raw.sessionId = sessionId();
        await (await raw.delete()).close();
        raw.sessionId = own;
        await raw.close();
        await inspector.reload();
        const { name } = await inspector.untilEnded(id, context.timeoutMs);
        if (name === 'settled') return { verdict: 'skipped', why: 'The call ended before it could be lost.' };
        if (!(await untilApp(shown, gotCancelled)) || (await isBlank(shown))) return LOST_VIEW;
        return {
          verdict: 'pass',
          why: 'The view got ui/notifications/tool-cancelled for the lost call, and shows content.',
        };
      },
      long,
    ),
};

export const appCallsAgain: Scenario = {
  name: 'app-calls-again',
  summary: 'reloads the page and watches whether the view calls a write tool again',
  needs: ['page', 'app'],
  run: (context) =>
    withApp(context, async (shown) => {
      const { inspector, id } = shown;
      if (await faultOf(shown)) return { verdict: 'skipped', why: 'No view to reload.' };
      await inspector.untilEnded(id, context.timeoutMs);
      await untilApp(shown, gotResult);
      // What a view calls by itself, it calls within a moment.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await inspector.reload();
      const isAgain = (entries: readonly Entry[]) =>
        entries.some(({ finding }) => finding === 'called-again');
      if (!(await untilApp(shown, isAgain, 4000))) {
        return { verdict: 'pass', why: 'After the reload, the view called no write tool again.' };
      }
      const again = (await appEntries(inspector, id)).filter(({ finding }) => finding === 'called-again');
      return {
        verdict: 'fail',
        cause: 'app-calls-again',
        why: `After a reload the view calls a tool again that isn't marked as safe to repeat: ${again[0]?.appText ?? ''}.`,
        fix: 'Call write tools after an action of the user only, or mark the tool with readOnlyHint or idempotentHint.',
      };
    }),
};

export const appCsp: Scenario = {
  name: 'app-csp',
  summary: "lists what a view tried to load but didn't declare",
  needs: ['page', 'app'],
  run: (context) =>
    withApp(context, async (shown) => {
      const { inspector, id } = shown;
      await inspector.untilEnded(id, context.timeoutMs);
      await untilApp(shown, (entries) => entries.some(({ finding }) => finding === 'csp'), 3000);
      const found = (await appEntries(inspector, id)).filter(({ finding }) => finding === 'csp');
      const blocked = [...new Set(found.map(({ appText = '' }) => appText))];
      // Libraries try eval and go on without it. No declaration would allow it.
      const tried = blocked.filter((one) => !one.endsWith(' eval'));
      const evalNote = tried.length < blocked.length ? ' It tried eval, which views may not use.' : '';
      if (tried.length === 0)
        return { verdict: 'pass', why: `The view loads only what it declares.${evalNote}` };
      return {
        verdict: 'fail',
        cause: 'app-undeclared',
        why: `The view tried ${plural(tried.length, 'thing')} that its CSP doesn't allow: ${tried.slice(0, 5).join(', ')}.`,
        fix: 'Declare the domains in _meta.ui.csp of the resource (connectDomains, resourceDomains, frameDomains).',
      };
    }),
};
