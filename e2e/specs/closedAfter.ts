/** A fixture of what starts servers: those that a test has started are closed at its end, whatever became of it. */

interface Closable {
  close(): Promise<void>;
}

export function closedAfter<Args extends readonly unknown[], Started extends Closable>(
  start: (...args: Args) => Promise<Started>,
) {
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  return async ({}, use: (start: (...args: Args) => Promise<Started>) => Promise<void>): Promise<void> => {
    const running: Started[] = [];
    await use(async (...args) => {
      const started = await start(...args);
      running.push(started);
      return started;
    });
    await Promise.all(running.map((started) => started.close()));
  };
}
