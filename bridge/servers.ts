/** A server that is to be bridged, as the command line or a configuration names it. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Program } from './processGroup.ts';

export type BridgedServer =
  | { readonly transport: 'stdio'; readonly name: string; readonly program: Program }
  | {
      readonly transport: 'http';
      readonly name: string;
      readonly url: string;
      /** Sent with every request, beside those of the page. */
      readonly headers: Readonly<Record<string, string>>;
    };

/** Stands for what is behind the bridge: the same at each bridge of this server. */
export function digestOf(server: BridgedServer): string {
  const place = server.transport === 'stdio' ? commandText(server.program) : server.url;
  return createHash('sha256').update(place).digest('hex').slice(0, 8);
}

const RUNNERS = new Set([
  'npx',
  'bunx',
  'pnpx',
  'uvx',
  'pipx',
  'node',
  'deno',
  'bun',
  'tsx',
  'python',
  'python3',
  'uv',
  'npm',
  'pnpm',
  'yarn',
  'cmd',
  'docker',
]);
const VERBS = new Set(['run', 'exec', 'dlx', 'tool', '/c']);

/** A short name for a command: of the package or the script that a runner is told to run. */
export function nameOfCommand(command: string, args: readonly string[]): string {
  const words = [command, ...args].map((word) => bareName(word));
  const named = [command, ...args].findIndex(
    (word, at) => !word.startsWith('-') && !RUNNERS.has(words[at] ?? '') && !VERBS.has(word),
  );
  return (RUNNERS.has(words[0] ?? '') ? words[named] : words[0]) || 'server';
}

function bareName(word: string): string {
  return basename(word.replaceAll('\\', '/'))
    .replace(/@[^@]*$/, '')
    .replace(/\.(m?[jt]s|cjs|py|exe|cmd|sh)$/i, '');
}

/** As it could be typed, for the user. */
export function commandText({ command, args }: Program): string {
  return [command, ...args].map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
