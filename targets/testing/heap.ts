/** How much memory is really in use: what is left after a full collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export async function heapInUse(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    // Finalizers and closed sockets need a turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  collect();
  return process.memoryUsage().heapUsed;
}
