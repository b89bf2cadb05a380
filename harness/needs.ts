/** Decides whether a scenario makes sense for a server, and says what was looked for where it does not. Pure. */
import type { Context, Finding, Need } from './context.ts';
import { viewUriOf } from '../src/apps/toolView.ts';
import { INTERFACE } from './interface/verifyInterface.ts';
import { causeOfNoEventIds } from './judge/judgeCall.ts';
import { noCrash, type BrowserName } from './page/browserName.ts';

/** Shorter than this, a call is over before a page can be loaded again. */
const LONG_ENOUGH_MS = 400;

const NO_SESSIONS = 'The server uses 2026-07-28, which has no sessions.';

/** Whether the server speaks 2026-07-28 as well isn't said: a page then prefers the session that it can resume. */
const WITH_INITIALIZE =
  'This scenario is for stateless servers (2026-07-28). Pages use sessions with this server.';

const NO_CONTROL = 'No control call to compare with.';

type Known = Pick<Context, 'blocked' | 'tools' | 'tool' | 'era' | 'hasSession' | 'tasks' | 'control'> & {
  readonly browser: { readonly isRemote: boolean; readonly kind: BrowserName };
};

/** Scenarios that look at the server and call nothing, so that they need no control call either. */
export const callsNoTool = (names: readonly string[]): boolean =>
  names.every((name) => name === 'cors' || name === INTERFACE);

export function unmetNeed(needs: readonly Need[], known: Known): Finding | undefined {
  for (const need of needs) {
    const finding = look(need, known);
    if (finding) return finding;
  }
  return undefined;
}

function look(need: Need, known: Known): Finding | undefined {
  const { blocked, tools, tool, era, hasSession, tasks, control, browser } = known;
  switch (need) {
    case 'page':
      return blocked === undefined ? undefined : skipped(blocked);
    case 'tool':
      return tool ? undefined : skipped('No tool to call. Specify one with --tool and --args.');
    case 'initialize':
      return era === 'session' ? undefined : unsupported(NO_SESSIONS);
    case 'session':
      if (era === 'stateless') return unsupported(NO_SESSIONS);
      return hasSession
        ? undefined
        : unsupported('No session: the initialize response has no Mcp-Session-Id header.');
    case 'stateless':
      return era === 'stateless' ? undefined : unsupported(WITH_INITIALIZE);
    case 'tasks':
      return tasks === undefined
        ? unsupported("The server doesn't declare the tasks capability.")
        : undefined;
    case 'app':
      return tools.some((one) => viewUriOf(one) !== undefined)
        ? undefined
        : unsupported('No tool of the server has a view (MCP Apps).');
    case 'control':
      return control ? undefined : skipped(NO_CONTROL);
    case 'event-ids':
      if (!control) return skipped(NO_CONTROL);
      return control.observed.givesEventIds
        ? undefined
        : {
            ...unsupported("The server doesn't send event IDs (none in the control call)."),
            cause: causeOfNoEventIds(control.observed.posted),
          };
    case 'time':
      if (!control) return skipped(NO_CONTROL);
      return control.shortestMs >= LONG_ENOUGH_MS
        ? undefined
        : skipped(
            `The tool finishes in ${Math.round(control.shortestMs)} ms, too fast to interrupt. ` +
              'Specify a longer call with --tool and --args.',
          );
    case 'own-browser':
      return browser.isRemote ? skipped("Remote browsers can't be restarted.") : undefined;
    case 'crash':
      return browser.kind === 'chromium' ? undefined : skipped(noCrash(browser.kind));
  }
}

const unsupported = (why: string): Finding => ({ verdict: 'unsupported', why });
const skipped = (why: string): Finding => ({ verdict: 'skipped', why });
