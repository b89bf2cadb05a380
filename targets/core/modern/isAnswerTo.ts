/** Whether what a client sent can be the answer to what it was asked: what comes back is anybody's input. */
import type { Answer, InputRequest } from '../toolContext.ts';

export function isAnswerTo({ method, params }: InputRequest, answer: unknown): answer is Answer {
  if (typeof answer !== 'object' || answer === null) return false;
  switch (method) {
    case 'elicitation/create':
      return isFormAnswer(params?.['requestedSchema'], answer);
    case 'sampling/createMessage':
      return 'role' in answer && 'content' in answer;
    case 'roots/list':
      return 'roots' in answer && Array.isArray(answer.roots);
  }
}

interface FormSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  readonly required?: readonly string[];
}

function isFormAnswer(requestedSchema: unknown, answer: object): boolean {
  const { action, content } = answer as { action?: unknown; content?: Readonly<Record<string, unknown>> };
  if (action === 'decline' || action === 'cancel') return true;
  const { properties = {}, required = [] } = (requestedSchema ?? {}) as FormSchema;
  if (action !== 'accept' || typeof content !== 'object') return action === 'accept' && required.length === 0;
  const isFilled = required.every((name) => content[name] !== undefined);
  return isFilled && Object.entries(content).every(([name, value]) => hasType(value, properties[name]?.type));
}

function hasType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
