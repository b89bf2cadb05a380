/** The dedicated worker of a page: records the logs of all of its servers, with a database connection of its own. */
import { errorMessage } from '../base/format.ts';
import { IdbStore } from '../storage/idbStore.ts';
import { LogHost } from './logHost.ts';
import type { FromHost, ToHost } from './messages.ts';

declare const self: DedicatedWorkerGlobalScope;

const host = new LogHost({
  store: new IdbStore(),
  post: (message: FromHost, transfer = []) => self.postMessage(message, transfer),
  close: () => self.close(),
});

const fail = (text: string): void => void host.end({ why: 'error', text });

self.addEventListener('message', ({ data }: MessageEvent<ToHost>) => host.hear(data));
self.addEventListener('messageerror', () => fail('Can’t read a message.'));
// The page reports it as its own: it would else hear of the error twice, or not at all.
self.addEventListener('error', (event) => {
  event.preventDefault();
  fail(event.message);
});
self.addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  fail(errorMessage(event.reason));
});
self.postMessage({ name: 'ready' } satisfies FromHost);
