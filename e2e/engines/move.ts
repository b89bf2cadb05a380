/** Goes back or forward as a script does it: a page out of the back/forward cache has no event that drivers wait for. */
import type { Tab } from './engine.ts';

export async function move(run: Tab['run'], way: 'back' | 'forward'): Promise<void> {
  const at = () => run<string>('return location.href');
  const from = await at();
  // The page may be gone before it can answer.
  await run(`setTimeout(() => history.${way}())`).catch(() => undefined);
  while ((await at().catch(() => from)) === from) await new Promise((resolve) => setTimeout(resolve, 20));
}
