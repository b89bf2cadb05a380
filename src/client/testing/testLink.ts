/** For tests: what a link to a real server needs, over a log and a budget of its own. */
import { systemClock } from '../../base/clock.ts';
import { testLog } from '../../recorder/testing/testLog.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import { Redactor } from '../../wire/redact.ts';
import type { LinkOptions } from '../link/linkOptions.ts';
import { ALL_OFFERS } from '../settings/offers.ts';
import { NO_PREFERENCES } from '../settings/preferences.ts';

export const NO_LOGIN: Awaited<ReturnType<LinkOptions['tokens']>> = {
  token: () => Promise.resolve(undefined),
  recover: () => Promise.resolve(undefined),
  refusedAgain: () => Promise.resolve(undefined),
};

export function linkOptions(url: string, given: Partial<LinkOptions> = {}): LinkOptions {
  const { redactor = new Redactor() } = given;
  return {
    url,
    credentials: {},
    revision: 'auto',
    tokens: () => Promise.resolve(NO_LOGIN),
    fetch: (input, init) => fetch(input, init),
    clock: systemClock,
    log: testLog(systemClock, { redactor }),
    budget: new ConnectionBudget(systemClock),
    redactor,
    clientInfo: { name: 'test', version: '0' },
    offers: ALL_OFFERS,
    preferences: { value: NO_PREFERENCES },
    toolOf: () => undefined,
    ...given,
  };
}
