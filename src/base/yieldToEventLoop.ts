/** Long work in short pieces: returns to the event loop whenever a slice of time is used up. */
const SLICE_MS = 12;

export function createYielder(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let sliceEnd = now() + SLICE_MS;
  return () => {
    if (now() < sliceEnd) return undefined;
    return nextTask().then(() => {
      sliceEnd = now() + SLICE_MS;
    });
  };
}

/** A message is a task of its own, and unlike a timer it is not held up in a page in the background. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
