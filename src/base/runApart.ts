/** Runs one of several listeners. An error is reported as uncaught, and neither the caller nor the others get it. */
export function runApart(run: () => void): void {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
