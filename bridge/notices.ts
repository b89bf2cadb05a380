/** What a bridge prints while it runs: facts of sessions, and their words. Never a token, a header or a value of the environment. */
import { printable } from '../harness/cli/printable.ts';
import { STATELESS_SINCE } from './upstream.ts';

export type Notice =
  | { readonly name: 'started'; readonly pid: number }
  | { readonly name: 'opened' }
  | { readonly name: 'no-page' }
  | { readonly name: 'resumed'; readonly events: number }
  | { readonly name: 'ended'; readonly why: string }
  | {
      /** The process, or the connection, is gone although the bridge didn't end it. */
      readonly name: 'failed';
      readonly pid: number | undefined;
      readonly message: string;
      readonly stderr: readonly string[];
      readonly failedCalls: number;
    }
  /** `versions`: those that the server supports, if it says so. */
  | { readonly name: 'rejected'; readonly message: string; readonly versions: readonly string[] }
  | { readonly name: 'skipped-output'; readonly line: string }
  | { readonly name: 'near-limit'; readonly events: number; readonly bytes: number }
  | { readonly name: 'evicted'; readonly events: number; readonly ofRunningCalls: number }
  | { readonly name: 'unreachable'; readonly why: string }
  | { readonly name: 'store-failed'; readonly why: string };

export type Notify = (notice: Notice) => void;

export interface NoticeSource {
  readonly server: string;
  readonly session?: string;
}

export type NoticeSink = (notice: Notice, source: NoticeSource) => void;

/** Whether `--quiet` leaves it out. */
export function isError({ name }: Notice): boolean {
  return name === 'failed' || name === 'rejected' || name === 'unreachable' || name === 'store-failed';
}

/** `12:04:11  server-everything  session 9c41 started, process 48213`, with details in the lines below. */
export function noticeText(notice: Notice, { server, session }: NoticeSource, at: Date): string {
  const time = at.toTimeString().slice(0, 8);
  const [text, details = []] = words(notice);
  const who = session === undefined ? '' : `session ${session.slice(0, 4)}`;
  const line = who === '' ? text : `${who}${text.startsWith(':') ? '' : ' '}${text}`;
  return [`${time}  ${server}  ${line}`, ...details.map((detail) => `            ${detail}`)]
    .map(printable)
    .join('\n');
}

function words(notice: Notice): readonly [string, (readonly string[])?] {
  switch (notice.name) {
    case 'started':
      return [`started, process ${notice.pid}`];
    case 'opened':
      return ['started'];
    case 'no-page':
      return ['has no page; storing its events'];
    case 'resumed':
      return [`resumed, ${count(notice.events, 'event')} replayed`];
    case 'ended':
      return [`ended: ${notice.why}`];
    case 'failed': {
      const what = notice.message
        .replace(/^The server process/, `process${notice.pid === undefined ? '' : ` ${notice.pid}`}`)
        .replace(/\.$/, '');
      return [`: ${what}; ${count(notice.failedCalls, 'call')} failed`, notice.stderr];
    }
    case 'rejected': {
      const { message, versions } = notice;
      const isStateless = versions.length > 0 && versions.every((version) => version >= STATELESS_SINCE);
      const why = isStateless
        ? ` A stdio server that supports only ${versions.join(', ')} can't be bridged.`
        : '';
      return [`: the server rejected initialize: ${message.replace(/\.$/, '')}.${why}`];
    }
    case 'skipped-output':
      return [
        `: skipped a line on stdout that isn't JSON-RPC: ${JSON.stringify(notice.line)}. Fix: Write logs to stderr.`,
      ];
    case 'near-limit':
      return [
        `stores ${count(notice.events, 'event')}, ${(notice.bytes / 1024 / 1024).toFixed(1)} MB: 80% of --max-events or --max-bytes`,
      ];
    case 'evicted':
      return [
        `: removed the oldest ${count(notice.events, 'event')}, ${notice.ofRunningCalls} of running calls (--max-events, --max-bytes)`,
      ];
    case 'unreachable':
      return [`no response from the server: ${notice.why}`];
    case 'store-failed':
      return [`: the event store failed: ${notice.why}`];
  }
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
