/** For tests: what a page gives to its servers, without a page. */
import { systemClock } from '../../base/clock.ts';
import { openTestLog } from '../../recorder/testing/testLog.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { ServerEnvironment } from '../servers/serverEnvironment.ts';
import { ServerLogin } from '../servers/serverLogin.ts';

export function testEnvironment(given: Partial<ServerEnvironment> = {}): ServerEnvironment {
  const budget = new ConnectionBudget(systemClock);
  const texts = new Map<string, string>();
  return {
    store: new MemoryStore(),
    openLog: openTestLog,
    clock: systemClock,
    tabTexts: {
      read: (key) => texts.get(key),
      write: (key, text) => (text === undefined ? void texts.delete(key) : void texts.set(key, text)),
    },
    fetch: (input, init) => fetch(input, init),
    locks: undefined,
    budgetFor: () => budget,
    clientInfo: { name: 'test', version: '0' },
    makeLogin: (env, options) => new ServerLogin(env, options),
    pageOrigin: 'http://localhost',
    isOnline: () => true,
    redirectUrl: 'http://localhost/',
    findWorker: () => Promise.resolve(undefined),
    prepare: () => Promise.resolve(),
    ...given,
  };
}
