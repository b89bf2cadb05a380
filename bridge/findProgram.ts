/** Whether a command can be started, before a page asks for it. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Program } from './processGroup.ts';

export function canBeStarted({ command, env, cwd }: Program): boolean {
  // Windows finds programs by endings that a file may not have.
  if (process.platform === 'win32') return true;
  if (command.includes('/')) return isExecutable(resolve(cwd ?? '.', command));
  return (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && isExecutable(join(folder, command)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
