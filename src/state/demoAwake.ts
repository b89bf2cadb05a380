/** Keeps the demo's worker awake while a call to it is open. */
import type { Workspace } from '../client/inspector/index.ts';
import { isOpen } from '../log/state/call.ts';
import type { FrameBatcher } from '../base/frameBatcher.ts';

type Servers = Pick<Workspace, 'changed'> & {
  readonly servers: readonly Pick<Workspace['servers'][number], 'url' | 'log'>[];
};

export function keepDemoAwake(
  workspace: Servers,
  frames: FrameBatcher,
  isDemoUrl: (url: string) => boolean,
  keepAwake: () => () => void,
): void {
  let letSleep: (() => void) | undefined;
  const watched = new Set<object>();
  const decide = () => {
    const demos = workspace.servers.filter(({ url }) => isDemoUrl(url));
    const busy = demos.some(({ log }) => [...log.state.calls.values()].some(isOpen));
    if (busy) letSleep ??= keepAwake();
    else {
      letSleep?.();
      letSleep = undefined;
    }
  };
  const watch = () => {
    for (const { url, log } of workspace.servers) {
      if (!isDemoUrl(url) || watched.has(log)) continue;
      watched.add(log);
      log.appended.on(() => frames.schedule(decide));
    }
    decide();
  };
  workspace.changed.on(watch);
  watch();
}
