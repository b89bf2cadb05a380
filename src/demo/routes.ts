/** Which requests are for the embedded targets, and what they get. */
import { CONTROL_ACTIONS, type Target } from '../../targets/core/target.ts';

/** By its path under the demo's own: `mcp` is the one with sessions. */
export type DemoTargets = Readonly<Record<'mcp' | 'modern', Target>>;

const CONTROL = '__control/';

/**
 * @param base the address that the demo is under: `<scope>demo/`
 * @returns `undefined` for a request that is not for the demo
 */
export function answerDemo(
  request: Request,
  base: string,
  targets: DemoTargets,
): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url);
  const address = origin + pathname;
  if (!address.startsWith(base)) return undefined;

  const path = address.slice(base.length);
  if (path === 'mcp') return targets.mcp.fetch(request);
  if (path === 'modern') return targets.modern.fetch(request);
  if (path.startsWith(CONTROL)) return control(request, path.slice(CONTROL.length), targets.mcp);
  const modern = `modern/${CONTROL}`;
  if (path.startsWith(modern)) return control(request, path.slice(modern.length), targets.modern);
  return Promise.resolve(explain('The demo is at demo/mcp and demo/modern (2026-07-28).'));
}

/** The same controls as those of a target in Node, so that the same tests can be run against the demo. */
async function control(request: Request, name: string, target: Target): Promise<Response> {
  if (name === 'stats' && request.method === 'GET') return Response.json(target.stats);
  const action = CONTROL_ACTIONS.find((known) => known === name);
  if (!action || request.method !== 'POST') {
    return explain(`POST one of: ${CONTROL_ACTIONS.join(', ')}; or GET stats.`);
  }
  await target.control(action);
  return Response.json({ action });
}

const explain = (error: string) => Response.json({ error }, { status: 404 });
