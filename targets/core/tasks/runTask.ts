/** Runs a tool as a task, behind the back of the request that asked for it. */
import type { LogSink } from '../log.ts';
import type { Answer, Capability, InputRequest, ToolContext } from '../toolContext.ts';
import { RpcFault } from '../toolContext.ts';
import { runTool, type ToolDefinition } from '../toolTable.ts';
import type { TargetTask, TaskLedger } from './taskLedger.ts';

const INTERNAL_ERROR = -32603;

export interface TaskRun {
  readonly definition: ToolDefinition;
  readonly args: unknown;
  readonly log: LogSink;
  readonly can: (capability: Capability) => boolean;
  /** How the client is asked; through the task itself if left out. */
  readonly ask?: (
    requests: Readonly<Record<string, InputRequest>>,
  ) => Promise<Readonly<Record<string, Answer>>>;
  /** Answers that came before the task began. */
  readonly known?: Readonly<Record<string, Answer>>;
}

/** Never rejects: how the work ended is the task's state. */
export async function runTask(ledger: TaskLedger, task: TargetTask, run: TaskRun): Promise<void> {
  try {
    const result = await runTool(run.definition, run.args, taskContext(ledger, task, run), run.log);
    ledger.settle(task.id, task.signal.aborted ? { name: 'cancelled' } : { name: 'completed', result });
  } catch (error) {
    const fault = error instanceof RpcFault ? error : new RpcFault(INTERNAL_ERROR, String(error));
    ledger.say(task.id, fault.message);
    ledger.settle(task.id, { name: 'failed', fault });
  }
}

function taskContext(ledger: TaskLedger, task: TargetTask, run: TaskRun): ToolContext {
  const askClient =
    run.ask ?? ((requests: Readonly<Record<string, InputRequest>>) => ledger.ask(task.id, requests));
  return {
    signal: task.signal,
    wantsProgress: true,
    progress: async (_progress, _total, message) => ledger.say(task.id, message),
    // Neither revision has a place for the log messages of a task.
    log: async () => undefined,
    can: run.can,
    ask: async <Key extends string>(requests: Readonly<Record<Key, InputRequest>>) => {
      const known = run.known ?? {};
      const isKnown = Object.keys(requests).every((key) => key in known);
      return isKnown ? known : await askClient(requests);
    },
  };
}
