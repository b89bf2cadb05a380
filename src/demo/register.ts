/** How a page comes by the embedded target: the only part of the demo that the app knows. */
import { errorMessage } from '../base/format.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { DemoMessage } from './messages.ts';

const TAKEOVER_MS = 10_000;
/** A worker of a version that doesn't know the question never answers it. */
const ANSWER_MS = 2000;
/** A worker is stopped after 30 s without an event. */
const PING_EVERY_MS = 10_000;

/** Where the embedded target answers, once it is prepared. */
export const demoUrl = (): string => new URL('demo/mcp', document.baseURI).href;

/** Where its twin of 2026-07-28 does: no sessions, and tasks. Prepared with the other. */
export const modernDemoUrl = (): string => new URL('demo/modern', document.baseURI).href;

export const isDemoUrl = (url: string): boolean => url === demoUrl() || url === modernDemoUrl();

/**
 * Registers the worker, and waits until it answers for this page.
 *
 * @returns the demo's address, or why there is none, for the person to read
 */
export async function prepareDemo(): Promise<Result<string, string>> {
  const container = serviceWorkers();
  if (!container) return err(whyNoServiceWorkers());
  try {
    const registration = await register(container, workerAddress('reprise-worker'));
    const worker = await withTimeout(activeWorker(container, registration));
    await withTimeout(control(container, worker));
    return ok(demoUrl());
  } catch (error) {
    const why = errorMessage(error).replace(/\.?$/, '.');
    return err(`Can’t start the demo: ${why} Reload the page, or connect to another server.`);
  }
}

/**
 * Keeps the site in this browser, and tells when another version of it is ready. A new version takes over when `agree` is
 * called; then every tab is loaded again, and comes back as it was. Pages below `requiredBelow` must update.
 */
export async function keepSite(
  onUpdate: (agree: () => void, requiredBelow: string | undefined) => void,
): Promise<void> {
  const container = serviceWorkers();
  if (!container) return;
  let controller = container.controller;
  container.addEventListener('controllerchange', () => {
    // The first worker that takes a page brings nothing new.
    if (controller) location.reload();
    controller = container.controller;
  });
  const registration = await register(container, workerAddress('reprise-site'));
  const offer = async () => {
    const { waiting, active } = registration;
    if (!waiting || !active) return;
    onUpdate(
      () => {
        // A worker is replaced when it has nothing to do, and an open stream of the demo is something to do.
        say(active, 'reprise:make-room');
        say(waiting, 'reprise:take-over');
      },
      await requiredBelow(waiting),
    );
  };
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => void offer());
  });
  await offer();
}

function requiredBelow(worker: ServiceWorker): Promise<string | undefined> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const end = (answer?: unknown): void => {
      port1.close();
      resolve(typeof answer === 'string' ? answer : undefined);
    };
    setTimeout(end, ANSWER_MS);
    port1.onmessage = ({ data }) => end(data);
    worker.postMessage('reprise:required-below' satisfies DemoMessage, [port2]);
  });
}

/** From the server and not from a cache, so that a new version is seen at the next visit. */
function register(container: ServiceWorkerContainer, address: URL): Promise<ServiceWorkerRegistration> {
  return container.register(address, { updateViaCache: 'none' });
}

/** Keeps the worker from being stopped, while a call to the demo is open. Returns the undo. */
export function keepAwake(): () => void {
  const ping = () => {
    const worker = serviceWorkers()?.controller;
    if (worker) say(worker, 'reprise:stay-awake');
  };
  ping();
  const timer = setInterval(ping, PING_EVERY_MS);
  return () => clearInterval(timer);
}

/** The worker that serves this site, if it has been kept here. */
export async function siteWorker(): Promise<ServiceWorker | undefined> {
  return (await serviceWorkers()?.getRegistration())?.active ?? undefined;
}

/** Not every page has them, whatever the DOM's types say. */
const serviceWorkers = () => navigator.serviceWorker as ServiceWorkerContainer | undefined;

const say = (worker: ServiceWorker, message: DemoMessage) => worker.postMessage(message);

function whyNoServiceWorkers(): string {
  const why = window.isSecureContext
    ? 'Service workers aren’t available here (some browsers disable them in private windows).'
    : `The demo needs a service worker, which requires HTTPS or localhost. This page is served from ${location.origin}.`;
  return `${why} Open Reprise over HTTPS or on localhost, or connect to another server.`;
}

/** The first version activates by itself; while a later one waits, the one before it is active. */
function activeWorker(
  container: ServiceWorkerContainer,
  registration: ServiceWorkerRegistration,
): Promise<ServiceWorker> {
  if (registration.active) return Promise.resolve(registration.active);
  const worker = registration.installing ?? registration.waiting;
  return new Promise((resolve, reject) => {
    // WebKit doesn't always report the states in between, or any of them.
    void container.ready.then(({ active }) => active && resolve(active));
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'activating' || worker.state === 'activated') resolve(worker);
      if (worker.state === 'redundant') reject(new Error('the service worker couldn’t be installed.'));
    });
  });
}

function control(container: ServiceWorkerContainer, worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (container.controller?.scriptURL !== worker.scriptURL) return;
      container.removeEventListener('controllerchange', look);
      resolve();
    };
    container.addEventListener('controllerchange', look);
    say(worker, 'reprise:claim');
    look();
  });
}

async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the service worker wasn’t ready after ${TAKEOVER_MS / 1000} s.`)),
      TAKEOVER_MS,
    );
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A policy can be made once by each name, and the two who ask for it do not know of each other. */
const trusted = new Map<string, URL>();

/** The one script that the page starts by its address; where Trusted Types are enforced, it has to be vouched for. */
function workerAddress(policy: 'reprise-worker' | 'reprise-site'): URL {
  const url = new URL('sw.js', document.baseURI);
  const rules = { createScriptURL: () => url.href };
  const address =
    trusted.get(policy) ?? window.trustedTypes?.createPolicy(policy, rules).createScriptURL('') ?? url;
  trusted.set(policy, address);
  return address;
}
