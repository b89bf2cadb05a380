/** The state of a log as everybody but the reducer sees it: read-only. */
import type { AppFacts } from './appViews.ts';
import type { AskedQuestions } from './askedQuestions.ts';
import type { CacheHints } from './cacheHints.ts';
import type { Call } from './call.ts';
import type { CallContinuations, Round } from './callContinuations.ts';
import type { MutableServerState } from './mutableServerState.ts';
import type { KnownCalls } from './knownCalls.ts';
import type { Question } from './question.ts';
import type { ReceivedTask, TaskRequest } from './receivedTask.ts';
import type { StreamPosition } from './streamPosition.ts';
import type { Task } from '../protocol/task.ts';

type Plain =
  | 'server'
  | 'load'
  | 'nextSeq'
  | 'connection'
  | 'sendsEventIds'
  | 'era'
  | 'recovered'
  | 'recovery'
  | 'usedAt'
  | 'logMessages'
  | 'lastConnection'
  | 'bridge'
  | 'snapshot'
  | 'neededSince';

export type ServerState = Readonly<Pick<MutableServerState, Plain>> & {
  readonly streams: ReadonlyMap<string, StreamPosition>;
  readonly calls: ReadonlyMap<string, Call> & Pick<KnownCalls, 'openWithKey'>;
  readonly questions: ReadonlyMap<string, Question> & Readonly<Pick<AskedQuestions, 'closed'>>;
  readonly continuations: Pick<CallContinuations, 'taskOf'> & {
    readonly tasks: ReadonlyMap<string, Task>;
    readonly rounds: ReadonlyMap<string, Round>;
  };
  readonly receivedTasks: {
    readonly tasks: ReadonlyMap<string, ReceivedTask>;
    readonly requests: ReadonlyMap<string, TaskRequest>;
  };
  readonly hints: Pick<CacheHints, 'get' | 'snapshot'>;
  readonly apps: ReadonlyMap<string, AppFacts>;
};
