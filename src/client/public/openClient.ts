/** The door: opens the client of one server in this page. */
import { systemClock } from '../../base/clock.ts';
import { hideUrlKeys } from '../../base/urlKeys.ts';
import { FallbackStore } from '../../storage/fallbackStore.ts';
import { DEFAULT_RULES } from '../settings/rules.ts';
import { ServerHandle } from '../servers/serverHandle.ts';
import type { GivenAccess, ServerEnvironment } from '../servers/serverEnvironment.ts';
import type { RepriseClient } from './clientTypes.ts';
import { budgetFor, findLocks, isOnline, pageLeftAt, pagePresence, pageUrl } from './environment.ts';
import { lazyLogin } from '../servers/lazyLogin.ts';
import { LiveClient } from './liveClient.ts';
import type { OpenOptions } from './openOptions.ts';
import { bearerTokens, NO_TOKENS } from './tokens.ts';
import { openLocalLog } from '../../recorder/localLog.ts';

const KEEP = { calls: 50, entries: 10_000, bytes: 8_000_000 };

/**
 * Opens the client of one server. Resolves once stored calls and questions are restored, before the server responds;
 * connecting, or resuming the stored session, goes on in the background. See `client.state`.
 *
 * @throws TypeError if an option is invalid. An unreachable server or a failing store is not an error: it is a state.
 */
export async function openClient(options: OpenOptions): Promise<RepriseClient> {
  const url = checkedUrl(options);
  const { oauth, bearer, clock = systemClock, keep = {} } = options;
  const store = new FallbackStore(options.store);
  // A key in the URL must not stand in the names of locks and records.
  const name = options.name ?? hideUrlKeys(url);
  const env = environmentOf(options, store);
  const hasLogin = oauth !== undefined && !bearer;
  const revision = options.revision ?? 'auto';
  const client = await LiveClient.open({
    url,
    name,
    clock,
    store,
    keepCalls: keep.calls ?? KEEP.calls,
    hasLogin,
    open: () => ServerHandle.open(env, { id: name, name, url, revision }),
  });
  if (hasLogin) await (await import('./login.ts')).takeCallback(client);
  return client;
}

function environmentOf(options: OpenOptions, store: FallbackStore): ServerEnvironment {
  const { oauth, questions = [], roots, keep = {}, clientInfo, clock = systemClock } = options;
  const texts = new Map<string, string>();
  const page = pageUrl();
  const has = (kind: 'elicitation' | 'sampling') => questions.includes(kind);
  return {
    store,
    clock,
    openLog: openLocalLog,
    clientInfo,
    clientName: clientInfo.title ?? clientInfo.name,
    scope: `mcp-reprise/${options.store.name}`,
    offers: { elicitation: has('elicitation'), sampling: has('sampling'), roots: roots !== undefined },
    preset: {
      roots: (roots ?? []).map(({ uri, name }) => ({ uri, ...(name !== undefined && { name }) })),
      rules: {
        ...DEFAULT_RULES,
        elicitation: has('elicitation') ? 'ask' : 'decline',
        sampling: has('sampling') ? 'ask' : 'decline',
        // A question is the app's: it stays until the app answers it.
        waitMs: Infinity,
      },
    },
    given: givenAccess(options),
    makeLogin: lazyLogin,
    limits: { entries: keep.entries ?? KEEP.entries, sizeBytes: keep.bytes ?? KEEP.bytes },
    resultsAtOpen: { calls: keep.calls ?? KEEP.calls, sizeBytes: keep.bytes ?? KEEP.bytes },
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    locks: findLocks(),
    budgetFor,
    tabTexts: {
      read: (key) => texts.get(key),
      write: (key, text) => (text === undefined ? void texts.delete(key) : void texts.set(key, text)),
    },
    pageOrigin: page.origin,
    isOnline,
    ...pagePresence(),
    pageLeftAt: pageLeftAt(),
    redirectUrl: oauth?.redirectUrl ?? `${page.origin}${page.pathname}`,
    ...(oauth?.clientMetadataUrl !== undefined && { clientMetadataUrl: oauth.clientMetadataUrl }),
    findWorker: () => Promise.resolve(undefined),
    prepare: () => Promise.resolve(),
  };
}

function givenAccess({ headers, bearer, oauth }: OpenOptions): GivenAccess {
  const { clientId, clientSecret } = oauth ?? {};
  return {
    ...(headers && { headers }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(bearer ? { tokens: bearerTokens(bearer) } : !oauth && { tokens: NO_TOKENS }),
  };
}

function checkedUrl({ url, clientInfo, store, name }: OpenOptions): string {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new TypeError('url must be an http: or https: URL.');
  if (typeof clientInfo?.name !== 'string' || typeof clientInfo.version !== 'string') {
    throw new TypeError('clientInfo must have a name and a version.');
  }
  if (typeof store?.name !== 'string')
    throw new TypeError('store must be a Store, such as indexedDbStore("my-app").');
  if (name === '') throw new TypeError('name must not be empty.');
  return parsed.href;
}
