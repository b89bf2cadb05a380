/** Finds a tool that asks the person something, and an answer that it will take. Pure. */
import { isObject, objectField } from '../src/base/json.ts';
import { anyValue, argumentsFor, isReadOnly, type ChosenTool } from './chooseTool.ts';
import type { Question, Tool } from './contract.ts';

const RECIPES = [
  'ask',
  'trigger-elicitation-request',
  'startElicitation',
  'sample',
  'trigger-sampling-request',
  'collect-user-info',
];
const SPEAKS_OF_IT = /elicit|\bsampling\b|asks? the user/i;

export function chooseQuestionTool(tools: readonly Tool[]): ChosenTool | undefined {
  const known = RECIPES.flatMap((name) => tools.filter((tool) => tool.name === name));
  const telling = tools.filter(
    (tool) => SPEAKS_OF_IT.test(`${tool.name} ${tool.description ?? ''}`) && isReadOnly(tool),
  );
  const tool = known[0] ?? telling[0];
  if (!tool) return undefined;
  return { name: tool.name, args: argumentsFor(tool), why: `its description mentions user input` };
}

/** What a person might answer. */
export function answerTo({ method, params }: Question): object {
  if (method === 'sampling/createMessage') {
    return {
      role: 'assistant',
      model: 'mcp-reprise',
      content: { type: 'text', text: 'Answered after a reload.' },
      stopReason: 'endTurn',
    };
  }
  const schema = objectField(params, 'requestedSchema');
  const properties = objectField(schema, 'properties') ?? {};
  const required = Array.isArray(schema?.['required']) ? schema['required'] : Object.keys(properties);
  const content = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, property]) => [name, isObject(property) ? answerField(property) : 'reprise']),
  );
  return { action: 'accept', content };
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'reprise@example.com',
  uri: 'https://example.com/',
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
};

function answerField(property: Record<string, unknown>): unknown {
  const format = property['format'];
  if (typeof format === 'string' && format in FORMATS) return FORMATS[format];
  const options = property['oneOf'];
  if (Array.isArray(options) && isObject(options[0])) return options[0]['const'];
  return anyValue(property);
}
