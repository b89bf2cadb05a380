/** Starts something at a port: the one that was named, or the usual one, or the next that is free. */
const TRIES = 20;

export async function atFreePort<T>(
  start: (port: number) => Promise<T>,
  named: number | undefined,
  usual: number,
  explain: (port: number) => Error,
): Promise<T> {
  if (named !== undefined) {
    return start(named).catch((error: unknown) => {
      if (isTaken(error)) throw explain(named);
      throw error;
    });
  }
  for (let port = usual; port < usual + TRIES; port += 1) {
    try {
      return await start(port);
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  return start(0);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
