// Which Firefox there is on this machine.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** Otherwise Firefox never asks a proxy for what is on this machine. */
export const firefoxPreferences = { 'network.proxy.allow_hijacking_localhost': true };

/** The path of an installed Firefox. `REPRISE_FIREFOX` sets another one. */
export function findFirefox() {
  const { PATH = '', REPRISE_FIREFOX } = process.env;
  if (REPRISE_FIREFOX) return REPRISE_FIREFOX;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const names = ['firefox-esr', 'firefox'].flatMap((name) => folders.map((folder) => join(folder, name)));
  const mac = '/Applications/Firefox.app/Contents/MacOS/firefox';
  return [...names, mac].find((path) => existsSync(path));
}
