/** After a refused return: does the session come back with a new `initialize` under its old ID? No page does that. */
import type { Context, Finding } from '../context.ts';
import { HarnessError } from '../harnessError.ts';
import { rawExchange } from '../probe/rawSession.ts';

/** What a page knew before it left. */
export interface Left {
  readonly sessionId: string | undefined;
  readonly lastEventId: string | undefined;
}

const LATE_MS = 2000;

export async function revive(
  context: Context,
  finding: Finding,
  { sessionId, lastEventId }: Left,
): Promise<Finding> {
  const { returned } = finding;
  const isRefused = returned?.restarted === true && !returned.resultDelivered;
  if (!isRefused || sessionId === undefined || lastEventId === undefined) return finding;
  const raw = await context.newRawSession();
  const own = raw.sessionId;
  try {
    raw.sessionId = sessionId;
    const begun = await raw.initialize();
    await begun.until(() => begun.messages.length > 0, LATE_MS);
    await begun.close();
    if (!begun.response.ok) return finding;
    const stream = await raw.get(lastEventId);
    const isResult = (message: object): boolean => !('method' in message) && 'id' in message;
    const limitMs = (context.control?.durationMs ?? 0) + LATE_MS;
    const hasCome = await stream.until(() => stream.messages.some(isResult), limitMs);
    if (!stream.response.ok || !hasCome) return finding;
    return {
      ...finding,
      why: 'The session continued only after a new initialize with its old ID. Then the result could be resumed. No page does that.',
      returned: { ...returned, isRevived: true },
      exchange: rawExchange(stream, 'GET', { 'last-event-id': lastEventId }),
    };
  } catch (error) {
    if (error instanceof HarnessError) return finding;
    throw error;
  } finally {
    raw.sessionId = own;
    await raw.close();
  }
}
