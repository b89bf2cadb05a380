/** Firefox for the soak: one for nearly all trials, and one on a profile of its own for a trial in which it is killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { launchFirefox, launchFirefoxProfile } from '../../engines/firefox.ts';
import { killByArgument } from '../../engines/process.ts';
import { PlaywrightSeat } from './playwrightSeat.ts';
import type { Browsers } from './seat.ts';

const QUIET = { handleSIGINT: false, handleSIGTERM: false };

export async function startFirefox(): Promise<Browsers> {
  const shared = await launchFirefox(QUIET);
  return {
    version: `Firefox ${shared.version()}`,
    get isConnected() {
      return shared.isConnected();
    },
    async seat({ isKilled }) {
      if (isKilled) return startMortal();
      const context = await shared.newContext();
      return new PlaywrightSeat(context, { hasDevtools: false, close: () => context.close() });
    },
    close: () => shared.close(),
  };
}

async function startMortal(): Promise<MortalSeat> {
  const profile = await mkdtemp(join(tmpdir(), 'reprise-soak-profile-'));
  return new MortalSeat(profile, await launchFirefoxProfile(profile, QUIET));
}

class MortalSeat extends PlaywrightSeat {
  readonly #profile: string;

  constructor(profile: string, context: BrowserContext) {
    super(context, {
      hasDevtools: false,
      async close() {
        await killByArgument(profile);
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      },
    });
    this.#profile = profile;
  }

  async kill(): Promise<void> {
    await killByArgument(this.#profile);
    this.moveTo(await launchFirefoxProfile(this.#profile, QUIET));
  }
}
