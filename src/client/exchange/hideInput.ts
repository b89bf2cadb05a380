/** Hides what was typed into secret fields in a message that is about to be sent: the message itself keeps it. */
import { HIDDEN } from '../../base/hidden.ts';
import { objectField, stringField, type JsonObject } from '../../base/json.ts';
import { hideSecretFields, isSecretField, secretTexts } from '../../base/secretFields.ts';
import type { ServerState } from '../../log/state/serverState.ts';
import type { Question } from '../../log/state/question.ts';
import { answerSchema, definitionsOf } from './secretInput.ts';
import type { Recording } from './streamExchange.ts';

/** @returns the same message where there is no secret in it */
export function hideInput(message: JsonObject, recording: Recording): JsonObject {
  const schema = schemaOf(message, recording);
  recording.redactor.protectArguments(secretTexts(message, schema));
  return withoutCompleted(hideSecretFields(message, schema), recording);
}

/** The schema of the whole message, as far as anything is known of what was typed. */
function schemaOf(message: JsonObject, { log, toolOf }: Recording): unknown {
  const params = objectField(message, 'params');
  if (message['method'] === 'tools/call') {
    const schema = toolOf(stringField(params, 'name') ?? '')?.inputSchema;
    return (
      schema && { ...definitionsOf(schema), properties: { params: { properties: { arguments: schema } } } }
    );
  }
  const { id } = message;
  const isAnswer = 'result' in message && (typeof id === 'string' || typeof id === 'number');
  const question = isAnswer ? questionOf(String(id), log.state) : undefined;
  const result = question && answerSchema(question.params);
  return result && { ...definitionsOf(result), properties: { result } };
}

/** The question that this is the answer to, also where the server fetches it from a task. */
function questionOf(
  id: string,
  { questions, receivedTasks: { requests, tasks } }: ServerState,
): Question | undefined {
  const taskId = stringField(requests.get(id)?.params, 'taskId') ?? '';
  return questions.get(id) ?? tasks.get(taskId)?.question;
}

/** `completion/complete` has the name of the argument beside its value. */
function withoutCompleted(message: JsonObject, { redactor }: Recording): JsonObject {
  if (message['method'] !== 'completion/complete') return message;
  const params = objectField(message, 'params');
  const argument = objectField(params, 'argument');
  const value = stringField(argument, 'value');
  if (value === undefined || !isSecretField(stringField(argument, 'name') ?? '', undefined)) return message;
  redactor.protectArguments([value]);
  return { ...message, params: { ...params, argument: { ...argument, value: HIDDEN } } };
}
