/** Which questions of servers are still to be answered or read. */
import type { ClosedQuestion } from '../../log/state/question.ts';
import type { ServerView } from '../../state/serverView.svelte.ts';

/** The place that names the ended questions that were read. */
export const DISMISSED = 'inbox.dismissed';

/** Ids come again in a new session. */
export function closedKey({ question: { id, askedAt } }: ClosedQuestion): string {
  return `${id}/${askedAt}`;
}

/** Is there something to answer or to read in the inbox? */
export function hasInbox(servers: readonly ServerView[]): boolean {
  return servers.some(({ questions, closedQuestions, place }) => {
    const dismissed = readDismissed(place.read(DISMISSED));
    return questions.length > 0 || closedQuestions.some((closed) => !dismissed.has(closedKey(closed)));
  });
}

export function readDismissed(text: string | undefined): ReadonlySet<unknown> {
  try {
    const keys: unknown = JSON.parse(text ?? '[]');
    return new Set<unknown>(Array.isArray(keys) ? keys : []);
  } catch {
    return new Set();
  }
}
