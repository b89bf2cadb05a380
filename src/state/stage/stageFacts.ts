/** What the page knows of the guided demo, from the log of its server. */
import { isOpen, type Call } from '../../log/state/call.ts';
import { survivalOf } from '../../timeline/story/survival.ts';
import type { ServerView } from '../serverView.svelte.ts';
import type { Facts } from './stageSteps.ts';

/** The newest call of a run of the demo. */
export function callOfRun(server: ServerView, since: number): Call | undefined {
  return server.calls
    .filter(({ startedAt }) => startedAt >= since)
    .reduce<Call | undefined>(
      (newest, call) => (newest && newest.startedAt > call.startedAt ? newest : call),
      undefined,
    );
}

/** What a reload cost the call, if it was resumed. */
export function survivalIn(server: ServerView, call: Call | undefined) {
  const exchanges = server.timeline.engine?.index.exchanges;
  const span = exchanges?.callOf(call?.id);
  return span && exchanges ? survivalOf(span, exchanges) : undefined;
}

export function stageFacts(server: ServerView | undefined, since: number): Facts {
  const call = server && callOfRun(server, since);
  return {
    isConnected: server?.isConnected === true,
    load: server?.log.load ?? 0,
    received: call?.received ?? 0,
    isOpen: call !== undefined && isOpen(call),
    isResumed: server !== undefined && survivalIn(server, call) !== undefined,
    isAsked: (server?.questions.length ?? 0) > 0,
    isLost: call?.name === 'lost',
  };
}
