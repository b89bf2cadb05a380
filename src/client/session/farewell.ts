import type { Clock } from '../../base/clock.ts';
import type { Connection } from '../link/connection.ts';

/** How long a server may take to say goodbye. */
const FAREWELL_MS = 3000;

/** Tells the server that a session is over. It may refuse to end sessions (405), or be gone; neither keeps anybody here. */
export async function farewell(
  connection: Pick<Connection, 'terminate'> | undefined,
  clock: Clock,
): Promise<void> {
  const told = connection?.terminate().catch(() => undefined);
  await Promise.race([told, new Promise<void>((resolve) => clock.after(FAREWELL_MS, resolve))]);
}
