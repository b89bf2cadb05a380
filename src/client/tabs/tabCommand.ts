/** Commands as they are given to the tab that owns the connection. Pure. */
import { ulid } from '../../base/ulid.ts';
import { DEFAULT_BACKGROUND_MS } from '../calls/callTimeouts.ts';
import type { ServerSettings } from '../settings/savedServer.ts';
import type { Command } from './tabChannel.ts';
import { newTraceparent } from '../calls/traceparent.ts';

/** With all that another tab would otherwise choose for itself. */
export function completeCommand(command: Command, settings: ServerSettings): Command {
  return withTrace(withCallId(withTimeout(command, settings)), settings);
}

/** A call that names no limit of its own has the server's. */
function withTimeout(command: Command, { timeoutMs }: ServerSettings): Command {
  if (command.name !== 'call' || timeoutMs === undefined) return command;
  if (command.options.timeoutMs !== undefined) return command;
  return { ...command, options: { backgroundMs: DEFAULT_BACKGROUND_MS, ...command.options, timeoutMs } };
}

/** So that a call which one tab has begun is not begun again by the tab that takes over. */
function withCallId(command: Command): Command {
  if (command.name !== 'call') return command;
  return { ...command, options: { callId: ulid(), ...command.options } };
}

/** One trace for each call: a call that is made again is another one. */
function withTrace(command: Command, { sendsTrace }: ServerSettings): Command {
  if (command.name !== 'call' || !sendsTrace) return command;
  const { options } = command;
  return { ...command, options: { ...options, meta: { ...options.meta, traceparent: newTraceparent() } } };
}

/** There is nothing to disconnect from; everything else needs a server. */
export function refuse({ name }: Command): undefined {
  if (name === 'disconnect') return undefined;
  throw new Error('This is an imported log with no server. Connect to a server to call its tools.');
}
