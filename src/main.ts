/** The composition root: the only place that joins concrete classes. */
import { mount, tick } from 'svelte';
import { readCallback, withoutCallback } from './auth/callback.ts';
import { handOver, takeLogins } from './auth/loginWindow.ts';
import { systemClock } from './base/clock.ts';
import { loadPart } from './base/loadPart.ts';
import { watchLockLoss } from './base/lockLoss.ts';
import { pageLeftAt } from './base/pageLeftAt.ts';
import { watchPresence } from './base/presence.ts';
import { hasUrlKeys } from './base/urlKeys.ts';
import { isOlder } from './base/versions.ts';
import { visible } from './base/visible.ts';
import { errorMessage } from './base/format.ts';
import { createReprise, type Reprise } from './client/console/reprise.ts';
import { lazyLogin } from './client/servers/lazyLogin.ts';
import { OLD_LIST } from './client/workspace/upgrade/oldStorage.ts';
import { upgradeIfNeeded } from './client/workspace/upgrade/upgradeIfNeeded.ts';
import { LIST_RECORD } from './client/workspace/serverDirectory.ts';
import { Workspace } from './client/workspace/workspace.ts';
import type { Selection } from './client/workspace/workspaceTypes.ts';
import {
  demoUrl,
  isDemoUrl,
  keepAwake,
  keepSite,
  modernDemoUrl,
  prepareDemo,
  siteWorker,
} from './demo/register.ts';
import { AppView, STORAGE_LIMIT_MB } from './state/appView.svelte.ts';
import { readBridgeLink } from './state/bridgeLink.ts';
import { keepDemoAwake } from './state/demoAwake.ts';
import { followEntryLinks } from './state/entryLink.ts';
import { Drafts } from './state/storage/drafts.ts';
import { FrameBatcher } from './base/frameBatcher.ts';
import { forgetKept } from './state/storage/forgetKept.ts';
import { keepText } from './state/storage/keptText.ts';
import { readLink, withoutLink, type LinkRequest } from './state/linkRequest.ts';
import { readLogLink } from './state/logLink.ts';
import { noticeQuestions } from './ui/inbox/questionNotices.ts';
import { RescueActions } from './state/rescueActions.ts';
import { SavedCalls } from './state/savedCalls.svelte.ts';
import { Shortcuts } from './state/shortcuts.ts';
import { StartNotes } from './state/startNotes.ts';
import { ThemeChoice } from './state/theme.svelte.ts';
import { openRecorder } from './recorder/openRecorder.ts';
import { FallbackStore } from './storage/fallbackStore.ts';
import { IdbStore } from './storage/idbStore.ts';
import { firstRecordsOf, ReadAhead } from './storage/readAhead.ts';
import { parseLimitBytes } from './storage/storageLimit.ts';
import { offerUpdate, sayUpdated, takeUpdate } from './state/updates.ts';
import { upgradeKept } from './state/storage/upgradeKept.ts';
import { loadCallDetail } from './ui/call/loadCallDetail.ts';
import { LazyServer } from './ui/frame/lazyServer.svelte.ts';
import Broken from './ui/Broken.svelte';
import Framed from './ui/Framed.svelte';
import { markUnseen } from './ui/markUnseen.ts';
import Root from './ui/Root.svelte';
import { budgetsByOrigin } from './wire/connectionBudget.ts';
import { watchMultiplexing } from './wire/multiplexing.ts';

declare global {
  interface Window {
    reprise: Reprise;
  }
}

/** Before anything else: a code must not stay in the address. */
const callback = readCallback(new URL(location.href));
if (callback) history.replaceState(history.state, '', withoutCallback(new URL(location.href)));

/** A token must not stay in the address either. */
const bridged = takeBridgeLink();

function takeBridgeLink(): readonly string[] {
  const urls = readBridgeLink(new URL(location.href));
  if (urls.length > 0) clearLink();
  return urls;
}

/** Until it is answered it stays in the address, so that a reload asks again; but for one with a key. */
function takeLink(): LinkRequest | undefined {
  const link = readLink(new URL(location.href));
  if (link && hasUrlKeys(link.url)) clearLink();
  return link;
}

function clearLink(): void {
  history.replaceState(history.state, '', withoutLink(new URL(location.href)));
}

/** The document names one address; a copy of the site at another one is another client. */
const published = document.querySelector<HTMLMetaElement>('meta[name="client-metadata"]')?.content;
const clientMetadataUrl =
  published === new URL('client-metadata.json', location.href).href ? published : undefined;

const SELECTED = 'reprise.selected';
/** For this tab alone. */
const kept = keepText(() => sessionStorage);

// Before anything is waited for: a page can be left while it starts.
const presence = watchPresence(window);
// Another tab may own the servers by now: this one starts again, as it would in other browsers.
void watchLockLoss(navigator.locks, presence.whenHere, () => location.reload());
const budgetFor = budgetsByOrigin(systemClock);
const disk = new ReadAhead(new IdbStore(), recordsAhead(kept.read(SELECTED)));
const store = new FallbackStore(disk);

const frames = new FrameBatcher();
const keptForAll = keepText(() => localStorage);
const recorder = openRecorder(store);
const notes = new StartNotes(keptForAll, navigator.locks);
const selection: Selection = {
  read: () => kept.read(SELECTED),
  write(server) {
    if (server !== undefined) notes.forgive(server);
    kept.write(SELECTED, server);
  },
  holdsBack: (server) => notes.hasFailed(server),
};
const theme = new ThemeChoice(keptForAll);
const target = document.getElementById('app') ?? document.body;
markUnseen(document.body);

const lazy = new LazyServer();
// A page that comes back to a server doesn't wait for its log first.
if (kept.read(SELECTED) !== undefined) {
  void lazy.load();
  loadPart(loadCallDetail).catch(() => undefined);
  import('./client/servers/ownedServer.ts').catch(() => undefined);
}

function recordsAhead(server: string | undefined): readonly string[] {
  return server === undefined ? [] : [OLD_LIST, LIST_RECORD, ...firstRecordsOf(server)];
}

/** A first visit has better things to load than every file of the site. */
const SITE_KEPT_AFTER_MS = 5000;

function forget(id: string): void {
  notes.forgive(id);
  forgetKept(kept, id);
  forgetKept(keptForAll, id);
}

let opened: Workspace | undefined;
const rescue = new RescueActions({
  load: async () =>
    new (await loadPart(() => import('./client/workspace/rescue.ts'))).Rescue({
      store,
      locks: navigator.locks,
      tabTexts: kept,
    }),
  suspect: () => opened?.selected?.id,
  workspace: () => opened,
  forget,
});

async function openWorkspace(): Promise<Workspace> {
  const workspace = await Workspace.open(
    {
      store,
      openLog: recorder.open,
      clock: systemClock,
      fetch: (url, init) => fetch(url, init),
      locks: navigator.locks,
      budgetFor,
      tabTexts: kept,
      clientInfo: { name: 'reprise', title: 'Reprise', version: __REPRISE_VERSION__ },
      pageOrigin: location.origin,
      isOnline: () => navigator.onLine,
      ...presence,
      pageLeftAt: pageLeftAt(performance),
      storageLimitBytes: () => parseLimitBytes(keptForAll.read(STORAGE_LIMIT_MB)),
      redirectUrl: new URL('.', location.href).href,
      findWorker: siteWorker,
      makeLogin: lazyLogin,
      async keepInterface(...interfaceNow) {
        const { keepInterface } = await loadPart(() => import('./client/catalog/interface/keepInterface.ts'));
        await keepInterface(...interfaceNow);
      },
      async askSkills(...asked) {
        const { askSkills } = await loadPart(() => import('./client/catalog/skills/askSkills.ts'));
        return askSkills(...asked);
      },
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      async prepare(url) {
        if (isDemoUrl(url)) await prepareDemo();
      },
    },
    selection,
  );
  for (const texts of [kept, keptForAll]) upgradeKept(texts, workspace.formerIds, SELECTED);
  return workspace;
}

async function start(): Promise<void> {
  const upgrading = upgradeIfNeeded({ disk, locks: navigator.locks, tabTexts: kept, clock: systemClock });
  const opening = Promise.all([upgrading, notes.read()]).then(openWorkspace);
  const loggedIn = callback && opening.then((workspace) => workspace.finishLogin(callback));
  const ready = Promise.all([opening.then((workspace) => workspace.ready()), loggedIn]).then(() => undefined);
  // A page that cannot start says so itself; a script that waits is told as well.
  ready.catch(() => undefined);
  // Before anything is waited for: a script finds it as soon as the page is loaded.
  window.reprise = createReprise(opening, __REPRISE_VERSION__, ready);
  const workspace = (opened = await opening);

  workspace.removed.on(forget);
  takeLogins((login) => workspace.finishLogin(login));
  watchMultiplexing((origin) => {
    budgetFor(origin).places = Infinity;
  });
  const retryNow = (): void => {
    if (document.visibilityState === 'visible') workspace.retryNow();
  };
  addEventListener('online', retryNow);
  // A page that comes out of the back/forward cache has lost its connections without a word.
  addEventListener('pageshow', retryNow);
  document.addEventListener('visibilitychange', retryNow);
  noticeQuestions(workspace, {
    areWanted: () =>
      document.visibilityState === 'hidden' &&
      'Notification' in window &&
      Notification.permission === 'granted',
    show: (title, body) => {
      new Notification(visible(title), { body: visible(body), icon: 'icon.svg' }).onclick = () => {
        focus();
      };
    },
  });
  keepDemoAwake(workspace, frames, isDemoUrl, keepAwake);

  addEventListener('pagehide', () => notes.leave());
  if (workspace.selected) notes.begin(workspace.selected.id);
  const app = new AppView({
    workspace,
    storage: store,
    recorder,
    demo: { url: demoUrl(), modernUrl: modernDemoUrl(), prepare: prepareDemo },
    frames,
    kept,
    keptForAll,
    link: { request: takeLink(), log: readLogLink(new URL(location.href)), done: clearLink },
    saved: new SavedCalls(keptForAll, window),
    shortcuts: new Shortcuts(/mac|iphone|ipad/i.test(navigator.platform)),
  });
  followEntryLinks(app);
  const followBridge = (urls: readonly string[]): void => {
    if (urls.length > 0) void app.link.openBridged(urls);
  };
  followBridge(bridged);
  addEventListener('hashchange', () => {
    followBridge(takeBridgeLink());
    app.link.offer(takeLink());
  });
  void loggedIn?.then((problem) => app.report(problem));
  const updatable = { toasts: app.toasts, workspace, isDemoUrl, kept };
  sayUpdated(updatable);
  void upgrading.then(([problem]) => problem !== undefined && app.report(problem));
  // The site is kept when nothing else is under way; while it is developed, it changes too often for that.
  if (!import.meta.env.DEV) {
    void ready.then(() =>
      setTimeout(() => {
        keepSite((agree, requiredBelow) => {
          const isRequired = requiredBelow !== undefined && isOlder(__REPRISE_VERSION__, requiredBelow);
          (isRequired ? takeUpdate : offerUpdate)(updatable, agree);
        }).catch(() => undefined);
      }, SITE_KEPT_AFTER_MS),
    );
  }
  // At once with its content, instead of after a glance at another page.
  const shown = workspace.selected;
  if (shown) await lazy.load();
  if (shown && shown.log.state.calls.size > 0) await loadPart(loadCallDetail).catch(() => undefined);
  mount(Root, {
    target,
    props: { app, theme, drafts: new Drafts(kept), rescue, lazy, onbroken: () => notes.fail() },
  });
  // Effects run after mounting, and may fail too.
  await tick();
  setTimeout(() => notes.succeed());
}

async function run(): Promise<void> {
  try {
    if (window.top !== window.self) mount(Framed, { target });
    // A login window hands over what it was given to the page that opened it, and is done.
    else if (callback && (await handOver(callback))) close();
    else await start();
  } catch (error) {
    notes.fail();
    mount(Broken, { target, props: { why: errorMessage(error), rescue } });
  }
}

// Not awaited: parts that are loaded later import this script, and would wait for it to end.
void run();
