/** How full the storage is, in words. */
import { bytes } from '../../base/format.ts';
import type { RecordedIn } from '../../base/recordedIn.ts';
import type { StorageUsage } from '../../storage/storageLimit.ts';

export const WORDS = {
  atLeast: (least: number) => `Enter a number of at least ${least}.`,
  limit: 'Storage limit (MB)',
  about:
    'For the logs of all servers together, in this browser. At the limit, the oldest entries of the least recently used server are removed. What a running call needs stays.',
  byServer: 'Storage by server',
} as const;

/** "412 MB of 500 MB used" */
export function usedWords({ usedBytes, limitBytes }: StorageUsage): string {
  return `${bytes(usedBytes)} of ${bytes(limitBytes)} used`;
}

/** What the user should know, and what happens next. */
export function storageSentence({ usedBytes, limitBytes }: StorageUsage): string {
  const percent = Math.floor((100 * usedBytes) / limitBytes);
  return `Storage is ${percent} % full. At the limit, the oldest entries of the least recently used server are removed.`;
}

/** Who records messages, and why it isn't the worker. */
export function recorderSentence(place: RecordedIn): string {
  if (place.name === 'worker') return 'Messages are recorded in a worker.';
  if (!place.end) return 'Messages are recorded in the page until the first call, then in a worker.';
  const { end } = place;
  const text = 'text' in end ? end.text : undefined;
  const reason = {
    asked: 'the browser can’t store data',
    storage: 'the browser can’t store data',
    blocked: 'the browser didn’t start the worker',
    error: `the worker failed${text === undefined ? '' : ` (${text})`}`,
  }[end.why];
  return `Messages are recorded in the page, because ${reason}.`;
}
