/**
 * A login of the page that is kept: the user logs in once, in a browser profile in a folder, and later runs use the
 * page's token, which the page refreshes by itself. The page keeps its tokens encrypted, so no smaller file would do.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page, type Response } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { numberField } from '../../src/base/json.ts';
import { HarnessError } from '../harnessError.ts';
import { Inspector } from '../page/inspector.ts';
import { openSiteAt } from '../page/site.ts';

export interface ProfileOptions {
  readonly folder: string;
  readonly headed: boolean;
  readonly timeoutMs: number;
  /** Logs in where a login is needed; without it, that is an error. */
  readonly logIn?: (page: Page) => Promise<void>;
}

/** A user may have to look for a password. */
const LOGIN_WITHIN_MS = 5 * 60_000;

/** `undefined` if the server asks for no login. */
export async function bearerFromProfile(url: string, options: ProfileOptions): Promise<string | undefined> {
  const { folder, timeoutMs, logIn } = options;
  // Another port would be another origin, and a page of another origin has another login.
  const site = await openSiteAt(await portOf(folder));
  const context = await launch(options);
  try {
    const accepted = firstAccepted(context, url, logIn ? LOGIN_WITHIN_MS : timeoutMs);
    const inspector = await Inspector.open(context, site.url, { timeoutMs });
    const { name } = await inspector.connect(url);
    if (name === 'authorizing' && logIn) await logIn(inspector.page);
    else if (name !== 'connected') throw notLoggedIn(url, folder, name);
    const response = await accepted;
    if (!response) throw notLoggedIn(url, folder, name);
    return /^Bearer (.+)$/i.exec((await response.request().allHeaders())['authorization'] ?? '')?.[1];
  } finally {
    await context.close();
    await site.close();
  }
}

/** The first response of the server that isn't a refusal. */
function firstAccepted(context: BrowserContext, url: string, timeout: number): Promise<Response | undefined> {
  const predicate = (response: Response): boolean =>
    response.url() === url && response.request().method() === 'POST' && response.ok();
  return context.waitForEvent('response', { predicate, timeout }).catch(() => undefined);
}

async function portOf(folder: string): Promise<number> {
  const file = join(folder, 'reprise.json');
  const kept: unknown = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  const known = numberField(kept, 'port');
  if (known !== undefined) return known;
  const port = await freePort();
  // Tokens are in this folder: only its owner may read it.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify({ port })}\n`);
  return port;
}

async function launch({ folder, headed }: ProfileOptions): Promise<BrowserContext> {
  const found = await findChromium({ mayInstall: false });
  if (found.kind === 'none') throw new HarnessError('unusable', found.says);
  const options = { executablePath: found.path, args: chromiumArgs, headless: !headed };
  return chromium.launchPersistentContext(join(folder, 'chromium'), options);
}

function notLoggedIn(url: string, folder: string, state: string): HarnessError {
  return new HarnessError(
    'unreachable',
    `Can't log in at ${new URL(url).host} with the login in ${folder} (state: ${state}). Run the command once with --headed, and log in in its window.`,
  );
}
