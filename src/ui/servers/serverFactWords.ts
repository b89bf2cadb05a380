/** When a server was added, and how; when it was last connected, and what went wrong last. */
import type { AddedBy, SavedServer } from '../../client/inspector/index.ts';
import type { LastConnection } from '../../log/state/lastConnection.ts';
import { agoWords } from '../parts/agoWords.ts';

const BY: Readonly<Record<AddedBy, string>> = {
  typed: 'by URL',
  link: 'by link',
  file: 'from a file',
  demo: 'as the demo',
  bridge: 'by the bridge',
  script: 'by a script',
};

/** "Added 3 min ago by link · Connected 5 s ago · Last error 1 min ago (offline)" */
export function serverFactWords(
  { addedAt, addedBy }: Pick<SavedServer, 'addedAt' | 'addedBy'>,
  { lastConnectedAt, lastError }: LastConnection,
  now: number,
): string {
  const by = addedBy ? ` ${BY[addedBy]}` : '';
  const code = lastError?.reason === undefined ? '' : ` (${lastError.reason})`;
  return [
    ...(addedAt === undefined ? [] : [`Added ${agoWords(addedAt, now)}${by}`]),
    ...(lastConnectedAt === undefined ? [] : [`Connected ${agoWords(lastConnectedAt, now)}`]),
    ...(lastError ? [`Last error ${agoWords(lastError.at, now)}${code}`] : []),
  ].join(' · ');
}
