/** The log already holds what a server answered: a page that comes back shows that, and need not ask again. */
import { isObject, objectField, type JsonObject } from '../base/json.ts';
import type { Entry } from '../log/entry/entry.ts';
import { messageOf } from '../log/entry/messageOf.ts';

export interface LastAnswer {
  /** Where the request stands in the log: what came after it may have changed the answer. */
  readonly askedSeq: number;
  readonly at: number;
  readonly result: JsonObject;
}

/** The newest successful answer to such a request, if both still stand in these entries. */
export function findLastAnswer(
  entries: readonly Entry[],
  method: string,
  isIt: (params: JsonObject) => boolean,
): LastAnswer | undefined {
  const answers = new Map<string, Entry>();
  for (const entry of [...entries].reverse()) {
    if (entry.kind === 'received' && entry.method === undefined) {
      answers.set(entry.stream, entry);
    }
    if (entry.kind !== 'sent' || entry.method !== method) continue;
    const answer = answers.get(entry.stream);
    const params = objectField(messageOf(entry), 'params') ?? {};
    if (!answer || !isIt(params)) continue;
    const result = messageOf(answer)?.['result'];
    // A server that asks first answers with its question.
    if (isObject(result) && result['resultType'] !== 'input_required')
      return { askedSeq: entry.seq, at: answer.at, result };
  }
  return undefined;
}

/** An answer to a request that outlives its page: whoever shows it may have to look again. */
export function isAnswerOfCall(entry: Entry): boolean {
  return entry.kind === 'received' && entry.method === undefined && entry.callId !== undefined;
}
