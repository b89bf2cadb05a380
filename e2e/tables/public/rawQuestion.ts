/** A tool that asks the user, over raw HTTP: the connection is cut before the answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { isObject, objectField, type JsonObject } from '../../../src/base/json.ts';
import { answerTo, chooseQuestionTool } from '../../../harness/chooseQuestionTool.ts';
import type { Tool } from '../../../harness/contract.ts';
import type { QuestionFacts, Status } from './rawFacts.ts';
import type { RawClient } from './rawSteps.ts';

const ASKED_MS = 10_000;
const RESULT_MS = 10_000;
/** A tool may ask more than once. */
const QUESTIONS = 6;

export async function checkQuestion(client: RawClient): Promise<QuestionFacts | undefined> {
  const { response } = await client.ask('tools/list');
  const tools = objectField(response, 'result')?.['tools'];
  const tool = Array.isArray(tools) ? chooseQuestionTool(tools as Tool[]) : undefined;
  if (!tool) return undefined;
  const post = client.call(tool.name, tool.args, 'asking');
  const questions = () => post.messages.filter(({ id, method }) => id !== undefined && method !== undefined);
  await post.until(() => questions().length > 0, ASKED_MS);
  client.show(post);
  const [question] = questions();
  if (!question) return { asked: false };
  post.cut();
  client.write('  (cut)');
  await pause(300);
  const known = new Set<unknown>();
  const answered = await answer(client, question);
  let position = post.lastEventId;
  for (let asked = 1; asked < QUESTIONS; asked += 1) {
    known.add(question['id']);
    const stream = position === undefined ? client.get() : await client.resume(position);
    const isNew = ({ id, method }: JsonObject): boolean =>
      id !== undefined && method !== undefined && !known.has(id);
    await stream.until(
      () => stream.responseTo('asking') !== undefined || stream.messages.some(isNew),
      RESULT_MS,
    );
    client.show(stream);
    stream.cut();
    if (stream.responseTo('asking')) return { asked: true, answered, result: true };
    const next = stream.messages.find(isNew);
    if (!next) break;
    known.add(next['id']);
    await answer(client, next);
    position = stream.lastEventId ?? position;
  }
  return { asked: true, answered, result: false };
}

async function answer(client: RawClient, question: JsonObject): Promise<Status> {
  const { id, method, params } = question;
  const result = answerTo({
    id: JSON.stringify(id),
    method: typeof method === 'string' ? method : '',
    params: isObject(params) ? params : {},
  });
  const body = { jsonrpc: '2.0', id, result };
  const accept = 'application/json, text/event-stream';
  const posted = client.send({ method: 'POST', headers: { accept }, body }, 'the answer');
  await posted.untilHead(5000);
  client.show(posted);
  return posted.status ?? null;
}
