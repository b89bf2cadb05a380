/** Whether a view that was opened again calls a tool again that it called before. Pure. */
import type { Call } from '../log/state/call.ts';

export interface RepeatedCallContext {
  readonly callId: string;
  /** How often the view was opened, with this time. */
  readonly opened: number;
  /** When it was opened this time. */
  readonly openedAt: number;
  readonly isRepeatable: boolean;
  readonly calls: readonly Call[];
  /** The calls that this opening of the view made. */
  readonly own: ReadonlySet<string>;
}

/** `ask`: the same call, which changes something: the user decides. `note`: the same tool with other arguments. */
export type RepeatVerdict = 'pass' | 'note' | 'ask';

export function judgeRepeat(tool: string, args: object, context: RepeatedCallContext): RepeatVerdict {
  const { callId, opened, openedAt, isRepeatable, calls, own } = context;
  if (isRepeatable) return 'pass';
  const isOfEarlierOpening = ({ appOf, startedAt }: Call) => appOf === callId && startedAt < openedAt;
  const before = calls.filter(
    (call) =>
      call.tool === tool &&
      !own.has(call.id) &&
      (isOfEarlierOpening(call) || (call.id === callId && opened > 1)),
  );
  if (before.length === 0) return 'pass';
  return before.some((call) => isSame(call.args, args)) ? 'ask' : 'note';
}

const isSame = (a: object, b: object): boolean => sorted(a) === sorted(b);

const sorted = (value: object): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
