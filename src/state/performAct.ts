/** Does what a step of the guided demo says, through the same doors as a user. That it has happened is seen elsewhere. */
import { isOpen } from '../log/state/call.ts';
import type { AppView } from './appView.svelte.ts';
import type { ServerView } from './serverView.svelte.ts';
import type { Act } from './walkthrough.ts';

const COUNTDOWN = { ticks: 24, intervalMs: 400 };
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 15_000;

export async function performAct(app: AppView, act: Exclude<Act, 'reload' | 'start over'>): Promise<void> {
  switch (act) {
    case 'connect':
      await app.openDemo();
      if (app.demoProblem !== undefined) throw new Error(app.demoProblem);
      // What was rehearsed is not part of the show.
      await startOver(app);
      return;
    case 'call':
      await (await connected(app)).startCall('countdown', COUNTDOWN);
      return;
    case 'ask':
      await (await connected(app)).startCall('ask', { question: 'Continue?' });
      return;
    case 'answer': {
      const server = await connected(app);
      const [question] = server.questions;
      // The user may have typed an answer.
      if (question) await server.answer(question.id, { action: 'accept', content: { answer: 'Yes' } });
      return;
    }
    case 'restart': {
      const server = await connected(app);
      await server.startCall('countdown', COUNTDOWN);
      await until(
        () => server.calls.some((call) => isOpen(call) && call.received > 2),
        'The call didn’t start.',
      );
      await app.restartDemo();
      return;
    }
  }
}

/** The list is empty, nothing runs, and the next run has the screen for itself. */
export async function startOver({ server }: AppView): Promise<void> {
  if (!server) return;
  const open = server.calls.filter(isOpen);
  await Promise.all(open.map(({ id }) => server.cancel(id).catch(() => undefined)));
  server.timeline.change({ clearedSeq: server.log.nextSeq, story: undefined, range: undefined, chip: 'all' });
  server.selection.pickRow(undefined);
}

/** A speaker may be faster than the page, which has just been reloaded. */
async function connected({ server }: AppView): Promise<ServerView> {
  if (!server) throw new Error('Not connected. Start the guided demo again.');
  await until(() => server.isConnected, 'The demo isn’t responding.');
  return server;
}

/** What the user would wait for, looking at the screen. */
async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs > PATIENCE_MS) throw new Error(otherwise);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
