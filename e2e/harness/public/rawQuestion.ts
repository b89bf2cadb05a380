/** A tool that asks the user, over raw HTTP: the connection is cut before the answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { isObject, objectField, stringField } from '../../../src/base/json.ts';
import { answerTo, chooseQuestionTool } from '../chooseQuestionTool.ts';
import type { Tool } from '../contract.ts';
import type { QuestionFacts } from './rawFacts.ts';
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
  let position = post.lastEventId;
  let asked: typeof question | undefined = question;
  let answered: number | null = null;
  for (let at = 0; at < QUESTIONS && asked; at += 1) {
    const { id, params } = asked;
    const method = stringField(asked, 'method') ?? '';
    const result = answerTo({ id: String(id), method, params: isObject(params) ? params : {} } as Parameters<
      typeof answerTo
    >[0]);
    const answer = client.send(
      {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id, result },
      },
      'the answer',
    );
    await answer.untilHead(5000);
    client.show(answer);
    if (at === 0) answered = answer.status ?? null;
    const stream = position === undefined ? client.get() : await client.resume(position);
    const next = () =>
      stream.messages.find(
        (message) => message['id'] !== id && message['method'] !== undefined && message['id'] !== undefined,
      );
    await stream.until(() => stream.responseTo('asking') !== undefined || next() !== undefined, RESULT_MS);
    client.show(stream);
    stream.cut();
    if (stream.responseTo('asking')) return { asked: true, answered, result: true };
    position = stream.lastEventId ?? position;
    asked = next();
  }
  return { asked: true, answered, result: false };
}
