/** Takes the log out of a scenario's page before it's closed, for the report. */
import type { BrowserContext } from '@playwright/test';
import type { Context, Opened } from '../context.ts';
import type { Inspector } from './inspector.ts';

/** A page that doesn't answer any more costs the report its log, and not the run its time. */
const PATIENCE_MS = 5000;

type KeepLog = (scenario: string, log: string) => void;

/** The page that was opened last has the log of the scenario. */
export async function withLog<T>(
  scenario: string,
  context: Context,
  keep: KeepLog | undefined,
  run: (context: Context) => Promise<T>,
): Promise<T> {
  if (!keep) return run(context);
  const pages = new Map<BrowserContext, Inspector>();
  const noted = (opened: Opened): Opened => {
    pages.set(opened.context, opened.inspector);
    return opened;
  };
  const logged: Context = {
    ...context,
    open: async (proxy) => noted(await context.open(proxy)),
    openIn: async (tab) => noted(await context.openIn(tab)),
    close: async (tab) => {
      const log = await logOf(pages.get(tab));
      if (log !== undefined) keep(scenario, log);
      await context.close(tab);
    },
  };
  try {
    return await run(logged);
  } finally {
    // `control` leaves what it finds in its context, and the others read it there.
    context.control = logged.control;
  }
}

async function logOf(inspector: Inspector | undefined): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([inspector?.exportLog().catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
