/** May a page talk to this server at all? Asked as a browser asks, and tried in one that enforces it. */
import type { Scenario } from '../context.ts';

export const cors: Scenario = {
  name: 'cors',
  summary: 'a page may connect, send every header that it needs, read its session and end it',
  needs: [],
  async run({ cors: { problems, exchange }, blocked, withoutCors, hasSession }) {
    if (problems.length === 0 && blocked === undefined) {
      const session = hasSession ? ', read its session and end it' : '';
      return { verdict: 'pass', why: `A page may connect, send every header that it needs${session}.` };
    }
    const isTried = withoutCors && blocked === undefined;
    const tried = isTried ? ' The other scenarios ran in a browser that does not enforce this.' : '';
    if (problems.length === 0) {
      return {
        verdict: 'fail',
        why: `${blocked ?? ''}${tried}`,
        fix: 'Open the server in a page and look at the console of the browser: its CORS headers are right.',
        cause: 'cors',
        exchange,
      };
    }
    const lines = [...new Set(problems.map(({ add }) => add))];
    return {
      verdict: 'fail',
      why: `${problems.map(({ why }) => why).join(' ')}${tried}`,
      fix: `Add to the answers of the server: ${lines.join('; ')}`,
      cause: 'cors',
      exchange,
    };
  },
};
