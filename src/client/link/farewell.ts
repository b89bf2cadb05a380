import type { Clock } from '../../base/clock.ts';

/** How long a server may take to end a session. */
const FAREWELL_MS = 3000;

/** Tells the server that a session is over. It may refuse to end sessions (405), or be gone; neither keeps anybody here. */
export async function farewell(
  connection: { terminate(): Promise<unknown> } | undefined,
  clock: Clock,
): Promise<void> {
  const late = new Promise<void>((resolve) => clock.after(FAREWELL_MS, resolve));
  await Promise.race([connection?.terminate().catch(() => undefined), late]);
}
