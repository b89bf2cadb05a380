/** May a page talk to this server at all? Asked as a browser asks, and tried in one that enforces it. */
import type { Scenario } from '../context.ts';

export const cors: Scenario = {
  name: 'cors',
  summary: 'connects from a page, sends all headers, reads the session ID and ends the session',
  needs: [],
  async run({ cors: { problems, exchange }, blocked, withoutCors, hasSession }) {
    if (problems.length === 0 && blocked === undefined) {
      const session = hasSession ? ', read its session ID and end the session' : '';
      return { verdict: 'pass', why: `A page can connect, send all headers${session}.` };
    }
    const isTried = withoutCors && blocked === undefined;
    const tried = isTried ? ' The other scenarios ran without CORS enforcement.' : '';
    if (problems.length === 0) {
      return {
        verdict: 'fail',
        why: `${blocked ?? ''}${tried}`,
        fix: 'The CORS headers are correct. Open the server in a page and check the browser console for another cause.',
        cause: 'cors',
        exchange,
      };
    }
    const lines = [...new Set(problems.map(({ add }) => add))];
    return {
      verdict: 'fail',
      why: `${problems.map(({ why }) => why).join(' ')}${tried}`,
      fix: `Add to every response: ${lines.join('; ')}`,
      cause: 'cors',
      exchange,
    };
  },
};
