/**
 * Parameters that a tool wants to see in headers as well (`x-mcp-header`, MCP 2026-07-28, Streamable HTTP). The SDK
 * leaves this out in browsers, because the server must allow each header by CORS; an inspector must do it.
 */
import { isObject, stringField, type JsonObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { ReasonOf } from '../../log/reasons/reason.ts';

type Problem = ReasonOf<'param-header'>;

interface Mirrored {
  readonly path: readonly string[];
  readonly header: string;
}

const KEY = 'x-mcp-header';
const PREFIX = 'Mcp-Param-';
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Which parameters a tool mirrors; or why its definition is invalid, and the tool must be left out. */
export function readMirrored(inputSchema: unknown): Result<readonly Mirrored[], Problem> {
  const found: Mirrored[] = [];
  const problem = collect(inputSchema, [], true, found);
  return problem === undefined ? ok(found) : err(problem);
}

export function mirrorArguments(inputSchema: unknown, args: object): Record<string, string> {
  const mirrored = readMirrored(inputSchema);
  if (!mirrored.ok) return {};
  const headers: Record<string, string> = {};
  for (const { path, header } of mirrored.value) {
    const text = asText(valueAt(args, path));
    if (text !== undefined) headers[`${PREFIX}${header}`] = encodeHeaderValue(text);
  }
  return headers;
}

/** What a header cannot carry as it is goes as base64 of its UTF-8, between marks. */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x20-\x7e]+$/.test(text) && text === text.trim();
  if (isPlain && !/^=\?base64\?.*\?=$/.test(text)) return text;
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return `=?base64?${btoa(bytes)}?=`;
}

/** Walks everything below a schema: a mark is allowed on a property of a property, and nowhere else. */
function collect(
  node: unknown,
  path: readonly string[],
  isReachable: boolean,
  found: Mirrored[],
): Problem | undefined {
  if (Array.isArray(node)) return firstProblem(node, (item) => collect(item, path, false, found));
  if (!isObject(node)) return undefined;
  if (KEY in node) {
    const problem = problemOf(node, path, isReachable, found);
    if (problem !== undefined) return problem;
    found.push({ path, header: stringField(node, KEY) ?? '' });
  }
  return firstProblem(Object.entries(node), ([keyword, child]) => {
    if (keyword !== 'properties' || !isObject(child)) {
      return VALUES.has(keyword) ? undefined : collect(child, path, false, found);
    }
    return firstProblem(Object.entries(child), ([name, property]) =>
      collect(property, [...path, name], isReachable, found),
    );
  });
}

/** Keywords that hold data, not schemas: a mark in an example is no mark. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', KEY]);

function problemOf(
  node: JsonObject,
  path: readonly string[],
  isReachable: boolean,
  found: readonly Mirrored[],
): Problem | undefined {
  const name = path.join('.');
  const header = node[KEY];
  const problem = (how: Problem['how'], text?: string): Problem => ({
    code: 'param-header',
    how,
    name,
    ...(text !== undefined && { text: JSON.stringify(text) }),
  });
  if (!isReachable || path.length === 0) return problem('misplaced');
  if (typeof header !== 'string' || header === '') return problem('empty');
  if (!TOKEN.test(header)) return problem('not-a-token', header);
  if (!MIRRORED_TYPES.has(node['type'])) return problem('wrong-type');
  const isTaken = found.some((other) => other.header.toLowerCase() === header.toLowerCase());
  return isTaken ? problem('repeated', header) : undefined;
}

function firstProblem<T>(items: readonly T[], check: (item: T) => Problem | undefined): Problem | undefined {
  for (const item of items) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueAt(root: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), root);
}

/** Null and what is absent are left out; so is a number that would not come back as it was. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
