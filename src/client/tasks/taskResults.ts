/**
 * MCP 2025-11-25, Tasks: `tasks/result` waits for the end of a task, and its stream brings what the task asks. A server asks
 * once: an earlier page's stream is resumed, because on a new one the question might never come.
 */
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { QUESTION_METHODS } from '../../log/state/question.ts';
import { isResultStream, type StreamPosition } from '../../log/state/streamPosition.ts';
import type { Task } from '../../log/protocol/task.ts';
import { followUpId } from '../../log/protocol/wireId.ts';
import { NoAnswer } from '../protocol/rawRequests.ts';

/** Asks for an answer that takes its time; `resumeAnswer` goes on with it in another page. */
export interface LongRequests {
  askAtLength(id: string, method: string, params: JsonObject): Promise<JsonObject>;
  resumeAnswer(id: string, cursor: string): Promise<JsonObject>;
}

export interface TaskResultsOptions {
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** A server that waits for an answer asks at once when it is listened to. */
const QUESTION_WITHIN_MS = 5000;

export class TaskResults {
  readonly #options: TaskResultsOptions;
  /** They ended without the result. */
  readonly #deadStreams = new Set<string>();

  constructor(options: TaskResultsOptions) {
    this.#options = options;
  }

  /** The stream that an earlier page has left, if it can be resumed. */
  leftBy({ callId }: Pick<Task, 'callId'>): StreamPosition | undefined {
    return [...this.#options.log.state.streams.values()].find(
      (one) => isResultStream(one, callId) && one.cursor !== undefined && !this.#deadStreams.has(one.key),
    );
  }

  /** Resolves with the answer, which the log has as well; rejects when its stream has ended without it. */
  async await(requests: LongRequests, task: Task): Promise<JsonObject> {
    const { taskId, callId, status } = task;
    const left = this.leftBy(task);
    const key = left?.key ?? followUpId(callId, 'result', this.#options.newId());
    const stopWatching = status === 'input_required' ? this.#watchForQuestion(key, callId) : undefined;
    try {
      return left?.cursor !== undefined
        ? await requests.resumeAnswer(key, left.cursor)
        : await requests.askAtLength(key, 'tasks/result', { taskId });
    } catch (error) {
      if (!(error instanceof NoAnswer && error.isResumable)) this.#deadStreams.add(key);
      throw error;
    } finally {
      stopWatching?.();
    }
  }

  /** A page may have died with the question before anything of its stream was stored. */
  #watchForQuestion(stream: string, callId: string): () => void {
    const { log, clock } = this.#options;
    let wasAsked = [...log.state.questions.values()].some((question) => question.callId === callId);
    const stopListening = log.appended.on(({ others }) => {
      wasAsked ||= others.some((entry) => isQuestionOn(stream, entry));
    });
    const cancelTimer = clock.after(QUESTION_WITHIN_MS, () => {
      if (wasAsked) return;
      const reason = { code: 'task-odd', how: 'not-asked-again' } as const;
      log.append({ body: { kind: 'note', level: 'info', reason } });
    });
    return () => {
      stopListening();
      cancelTimer();
    };
  }
}

function isQuestionOn(stream: string, entry: Entry): boolean {
  return entry.kind === 'received' && entry.stream === stream && QUESTION_METHODS.has(entry.method ?? '');
}
