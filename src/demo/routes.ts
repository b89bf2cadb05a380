/** Which requests are for the embedded target, and what they get. */
import { CONTROL_ACTIONS, type Target } from '../../e2e/targets/core/target.ts';

/**
 * @param base the address that the demo is under: `<scope>demo/`
 * @returns `undefined` for a request that is not for the demo
 */
export function answerDemo(request: Request, base: string, target: Target): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url);
  const address = origin + pathname;
  if (!address.startsWith(base)) return undefined;

  const path = address.slice(base.length);
  if (path === 'mcp') return target.fetch(request);
  if (path.startsWith('__control/')) return control(request, path.slice('__control/'.length), target);
  return Promise.resolve(explain('The demo answers at demo/mcp.'));
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
