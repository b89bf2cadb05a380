/** Does what a step of the walk says, through the same doors as a person. */
import { isOpen } from '../log/state/call.ts';
import type { AppView } from './appView.svelte.ts';
import type { ServerView } from './serverView.svelte.ts';
import type { Act } from './walkthrough.ts';

const COUNTDOWN = { ticks: 24, intervalMs: 400 };
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 15_000;

export async function performAct(app: AppView, act: Exclude<Act, 'reload'>): Promise<void> {
  switch (act) {
    case 'connect':
      await app.openDemo();
      await until(() => app.server?.isConnected === true, app.demoProblem ?? 'The demo isn’t responding.');
      return;
    case 'call':
      await (await connected(app)).startCall('countdown', COUNTDOWN);
      return;
    case 'ask': {
      const server = await connected(app);
      await server.startCall('ask', { question: 'Continue?' });
      await until(() => server.questions.length > 0, 'The tool didn’t send a request.');
      return;
    }
    case 'answer': {
      const server = await connected(app);
      const [question] = server.questions;
      // Somebody may have typed an answer.
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
      await until(() => !server.calls.some(isOpen), 'The page hasn’t detected the restart.');
      return;
    }
    case 'begin again':
      return;
  }
}

/** A speaker may be faster than the page, which has just been loaded again. */
async function connected({ server }: AppView): Promise<ServerView> {
  if (!server) throw new Error('Not connected. Start the guided demo again.');
  await until(() => server.isConnected, 'The demo isn’t responding.');
  return server;
}

/** What a person would wait for, looking at the screen. */
async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs > PATIENCE_MS) throw new Error(otherwise);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
