/** How much a page misses while it is interrupted. Pure. */
import type { CallTrace } from './callTrace.ts';
import type { AwayFor } from './names.ts';

/** The call ended before the page had missed enough. */
export class EndedEarly extends Error {
  override readonly name = 'EndedEarly';
}

export type Absence =
  | { readonly name: 'nothing' }
  | { readonly name: 'messages'; readonly count: number }
  | { readonly name: 'response' }
  | { readonly name: 'time'; readonly ms: number };

export function parseAway(text: AwayFor): Absence {
  if (text === 'nothing') return { name: 'nothing' };
  if (text === 'the response') return { name: 'response' };
  if (text === 'one message') return { name: 'messages', count: 1 };
  if (text === 'two messages') return { name: 'messages', count: 2 };
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?) (messages|s)$/.exec(text) ?? [];
  const amount = Number(number);
  if (unit === 's') return { name: 'time', ms: amount * 1000 };
  if (unit === 'messages' && Number.isInteger(amount) && amount > 0)
    return { name: 'messages', count: amount };
  throw new Error(`"${text}" isn't an amount. Use 'two messages', 'the response', '5 s' or 'nothing'.`);
}

/** Messages that the server has sent and no page has. */
export const missedOf = ({ messages }: CallTrace): number =>
  messages.filter(({ delivery }) => delivery === 'missed').length;

/** Whether the page has missed enough. Throws if the call ends first. */
export function hasMissed(trace: CallTrace, absence: Absence): boolean {
  const missed = missedOf(trace);
  switch (absence.name) {
    case 'nothing':
    case 'time':
      return true;
    case 'response':
      return trace.response !== undefined;
    case 'messages': {
      if (missed >= absence.count) return true;
      if (trace.response)
        throw new EndedEarly(
          `The server sent the response after ${missed} of ${absence.count} messages. Use a longer tool call.`,
        );
      return false;
    }
  }
}
