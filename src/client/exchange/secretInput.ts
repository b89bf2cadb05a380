/**
 * What was typed into secret fields. The log and the state hold it hidden; the values themselves stay in memory, for as
 * long as their call may have to send them again. They don't outlive the page.
 */
import { holdsHidden } from '../../base/hidden.ts';
import { isObject, objectField, type JsonObject } from '../../base/json.ts';
import { hideSecretFields, secretTexts } from '../../base/secretFields.ts';
import type { AskedMethod, Call } from '../../log/state/call.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import type { Question } from '../../log/state/question.ts';
import type { Redactor } from '../../wire/redact.ts';

export interface CallInput {
  readonly method?: AskedMethod | undefined;
  readonly tool: string;
  readonly args: object;
  readonly meta?: object;
}

export class SecretInput {
  readonly #redactor: Redactor;
  readonly #schemaOf: (tool: string) => unknown;
  readonly #calls = new Map<string, CallInput>();
  readonly #answers = new Map<string, Readonly<Record<string, object>>>();

  constructor(redactor: Redactor, schemaOf: (tool: string) => unknown) {
    this.#redactor = redactor;
    this.#schemaOf = schemaOf;
  }

  /** @returns the arguments of a call as they are recorded */
  begin(callId: string, input: CallInput): object {
    const schema = input.method === undefined ? this.#schemaOf(input.tool) : undefined;
    this.#calls.set(callId, input);
    return this.#hide(input.args, schema);
  }

  /** @returns the answer to a question as it is recorded */
  answer({ callId, params, via }: Question, result: object): object {
    if (callId !== undefined && via?.kind === 'round') {
      this.#answers.set(callId, { ...this.#answers.get(callId), [via.key]: result });
    }
    return this.#hide(result, answerSchema(params));
  }

  /** What a call sends when it is sent again; nothing, if a secret of it went with an earlier page. */
  again(call: Call, round?: Round): { readonly input: CallInput; readonly round?: Round } | undefined {
    const { method, tool, args, meta } = call;
    const input = this.#calls.get(call.id) ?? { method, tool, args, ...(meta && { meta }) };
    const answers = round && { ...round.answers, ...this.#typedFor(round) };
    if (holdsHidden([input.tool, input.args, input.meta, answers])) return undefined;
    return { input, ...(round && answers && { round: { ...round, answers } }) };
  }

  /** Is this the input of that call? What is hidden of it is compared in memory alone. */
  isSame(call: Call, { tool, args }: CallInput): boolean {
    const typed = this.#calls.get(call.id) ?? call;
    return typed.tool === tool && JSON.stringify(sorted(typed.args)) === JSON.stringify(sorted(args));
  }

  forget(callId: string): void {
    this.#calls.delete(callId);
    this.#answers.delete(callId);
  }

  /** Answers of an earlier round of the same call may have the same keys. */
  #typedFor({ callId, answers }: Round): Readonly<Record<string, object>> {
    const typed = Object.entries(this.#answers.get(callId) ?? {});
    return Object.fromEntries(typed.filter(([key]) => holdsHidden(answers[key])));
  }

  #hide(value: object, schema: unknown): object {
    this.#redactor.protectArguments(secretTexts(value, schema));
    return hideSecretFields(value, schema);
  }
}

/** The same value with its names in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted(value[name])]);
}

/** MCP, Elicitation: the content of an answer has the schema that was asked for. */
export function answerSchema(params: object): JsonObject | undefined {
  const content = objectField(params, 'requestedSchema');
  return content && { ...definitionsOf(content), properties: { content } };
}

/** References are followed from the top, wherever a schema is put. */
export function definitionsOf(schema: object): JsonObject {
  const { $defs, definitions } = schema as JsonObject;
  return { $defs, definitions };
}
