/** Schema constructs that MCP allows and known clients reject. Each rule has a public report. Pure. */
import { isObject, type JsonObject } from '../../../base/json.ts';
import { nodesOf } from './schemaNodes.ts';

export interface CheckedTool {
  readonly name: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

export interface SchemaRule {
  readonly id: string;
  /** What the tool has, as the end of a sentence: "“sum” has …". */
  readonly has: string;
  /** Which client rejects it. */
  readonly effect: string;
  /** GitHub threads: `owner/repository#number`. */
  readonly sources: readonly string[];
  readonly applies: (tool: CheckedTool) => boolean;
}

const someNode = (schema: unknown, holds: (node: JsonObject) => boolean): boolean =>
  nodesOf(schema).some(holds);
const isArrayType = ({ type }: JsonObject): boolean =>
  type === 'array' || (Array.isArray(type) && type.includes('array'));

/** `docs/portability.md` has the same rules with links. */
export const SCHEMA_RULES: readonly SchemaRule[] = [
  {
    id: 'root-composition',
    has: 'anyOf, oneOf or allOf at the top of the input schema',
    effect: 'The Claude API rejects the request, and Claude Code leaves out the tool.',
    sources: ['github/github-mcp-server#3126', 'anthropics/claude-code#95504'],
    applies: ({ inputSchema }) =>
      isObject(inputSchema) && ['anyOf', 'oneOf', 'allOf'].some((name) => name in inputSchema),
  },
  {
    id: 'tool-name',
    has: 'a name with other characters than letters, digits, _ and -, or more than 64 of them',
    effect: 'Claude Desktop, Codex and Copilot CLI reject the tool list.',
    sources: ['openai/codex#8174', 'github/copilot-cli#2581', 'l22-io/orchard-mcp#14'],
    applies: ({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name),
  },
  {
    id: 'array-without-items',
    has: 'an array without items in the input schema',
    effect: 'VS Code rejects the tool.',
    sources: ['microsoft/vscode#246119'],
    applies: ({ inputSchema }) => someNode(inputSchema, (node) => isArrayType(node) && !('items' in node)),
  },
  {
    id: 'reference',
    has: '$ref in the input schema',
    effect: 'Gemini CLI and Kiro fail to list the tools, and VS Code loses the definitions.',
    sources: ['google-gemini/gemini-cli#13142', 'kirodotdev/Kiro#10040', 'PrefectHQ/fastmcp#2808'],
    applies: ({ inputSchema }) => someNode(inputSchema, (node) => '$ref' in node),
  },
  {
    id: 'exclusive-bound',
    has: 'exclusiveMinimum or exclusiveMaximum in the input schema',
    effect: 'The Gemini API rejects the request.',
    sources: ['oracle/langchain-oracle#291', 'zed-industries/zed#29400'],
    applies: ({ inputSchema }) =>
      someNode(inputSchema, (node) => 'exclusiveMinimum' in node || 'exclusiveMaximum' in node),
  },
  {
    id: 'property-name',
    has: 'a property name with other characters than letters, digits, _, . and -, or more than 64 of them',
    effect: 'The Claude API rejects the request.',
    sources: ['diegosouzapw/OmniRoute#13552'],
    applies: ({ inputSchema }) =>
      someNode(
        inputSchema,
        ({ properties }) =>
          isObject(properties) &&
          Object.keys(properties).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
      ),
  },
  {
    id: 'output-type',
    has: 'an output schema without "type": "object"',
    effect: 'Clients with the TypeScript SDK v1 reject the whole tool list.',
    sources: ['opentokenz/mcpx#28'],
    applies: ({ outputSchema }) => isObject(outputSchema) && outputSchema['type'] !== 'object',
  },
];
