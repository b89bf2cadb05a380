/** Finds a tool that can be interrupted: one that takes a while, and reports on its way. Pure. */
import { isObject, numberField, stringField, type JsonObject } from '../src/base/json.ts';
import type { Tool } from './contract.ts';

export interface ChosenTool {
  readonly name: string;
  readonly args: object;
  /** Why this one, for the person who reads the report. */
  readonly why: string;
}

/** How long an interrupted call should take, and how often it should speak. */
const WANTED_MS = 2400;
const WANTED_STEPS = 12;

/** Tools of well-known servers, with arguments that make them long enough and no longer. */
const RECIPES: readonly { readonly name: string; readonly has: readonly string[]; readonly args: object }[] =
  [
    { name: 'countdown', has: ['ticks', 'intervalMs'], args: { ticks: 12, intervalMs: 200 } },
    { name: 'trigger-long-running-operation', has: ['duration', 'steps'], args: { duration: 4, steps: 10 } },
    { name: 'longRunningOperation', has: ['duration', 'steps'], args: { duration: 4, steps: 10 } },
    { name: 'start-notification-stream', has: ['interval', 'count'], args: { interval: 250, count: 12 } },
  ];

const COUNT = /^(steps?|count|ticks?|iterations?|times|n|num_?\w*|rounds?|chunks?|batch(es)?|pages|items)$/i;
const DURATION = /(duration|seconds|millis|sleep|wait|delay_?ms$)/i;
const INTERVAL = /(interval|delay|pause)/i;
/** How long a failure may take says nothing about how long a success does. */
const LIMIT = /(retry|retries|backoff|timeout|max)/i;

export function chooseTool(tools: readonly Tool[]): ChosenTool | undefined {
  for (const { name, has, args } of RECIPES) {
    const tool = tools.find((one) => one.name === name);
    if (tool?.annotations?.destructiveHint === true) continue;
    if (tool && has.every((property) => property in propertiesOf(tool))) {
      return { name, args, why: `known long-running tool` };
    }
  }
  const [best] = tools
    .filter(isReadOnly)
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  if (!best) return undefined;
  const { tool } = best;
  const timed = Object.keys(propertiesOf(tool)).filter(isTimed);
  const args = argumentsFor(tool);
  return { name: tool.name, args, why: `its schema has ${timed.join(' and ')}` };
}

/** Arguments that a tool's schema allows: short steps for what counts or lasts, and what is required. */
export function argumentsFor(tool: Tool): JsonObject {
  const required = requiredOf(tool);
  const properties = propertiesOf(tool);
  const hasCount = Object.keys(properties).some((name) => COUNT.test(name));
  const args: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    if (isTimed(name) && isNumeric(property)) args[name] = timedValue(name, property, hasCount);
    else if (required.includes(name)) args[name] = anyValue(property);
  }
  return args;
}

/** What a call can't do without, and nothing else. */
export function requiredArguments(tool: Tool): JsonObject {
  const required = requiredOf(tool);
  return Object.fromEntries(Object.entries(argumentsFor(tool)).filter(([name]) => required.includes(name)));
}

export const needsArguments = (tool: Pick<Tool, 'inputSchema'>): boolean => requiredOf(tool).length > 0;

function requiredOf({ inputSchema }: Pick<Tool, 'inputSchema'>): readonly unknown[] {
  const { required } = inputSchema as { required?: unknown };
  return Array.isArray(required) ? required : [];
}

function propertiesOf(tool: Pick<Tool, 'inputSchema'>): Readonly<Record<string, JsonObject>> {
  const { properties } = tool.inputSchema as { properties?: unknown };
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, isObject(property) ? property : {}]),
  );
}

/** A tool without annotations may destroy something (2025-11-25, Tools: destructiveHint is true by default). */
export function isReadOnly({ annotations }: Tool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

function isTimed(name: string): boolean {
  return !LIMIT.test(name) && (COUNT.test(name) || DURATION.test(name) || INTERVAL.test(name));
}

function scoreOf(tool: Tool): number {
  const numeric = Object.entries(propertiesOf(tool)).filter(
    ([name, property]) => isNumeric(property) && !LIMIT.test(name),
  );
  const matches = (pattern: RegExp): number => (numeric.some(([name]) => pattern.test(name)) ? 1 : 0);
  const lasts = 2 * matches(DURATION) + 2 * matches(INTERVAL);
  // Something that is only counted may be over at once.
  return lasts + matches(COUNT);
}

function isNumeric(property: JsonObject): boolean {
  return property['type'] === 'number' || property['type'] === 'integer';
}

function timedValue(name: string, property: JsonObject, hasCount: boolean): number {
  const inSeconds = !isInMilliseconds(name, property);
  const wanted = COUNT.test(name)
    ? WANTED_STEPS
    : (INTERVAL.test(name) && hasCount ? WANTED_MS / WANTED_STEPS : WANTED_MS) / (inSeconds ? 1000 : 1);
  const rounded = property['type'] === 'integer' ? Math.max(1, Math.round(wanted)) : wanted;
  const low = numberField(property, 'minimum') ?? rounded;
  const high = numberField(property, 'maximum') ?? rounded;
  return Math.min(Math.max(rounded, low), Math.max(high, low));
}

/** A name or a default says the unit; a bare "duration" is in seconds. */
function isInMilliseconds(name: string, property: JsonObject): boolean {
  const text = `${name} ${stringField(property, 'description') ?? ''}`;
  if (/(ms|millis)/i.test(text)) return true;
  return (numberField(property, 'default') ?? 0) >= 100;
}

/** The smallest value that a schema takes. */
export function anyValue(property: JsonObject): unknown {
  if ('default' in property) return property['default'];
  if ('const' in property) return property['const'];
  const choices = property['enum'];
  if (Array.isArray(choices)) return choices[0];
  switch (property['type']) {
    case 'integer':
    case 'number':
      return numberField(property, 'minimum') ?? 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'reprise';
  }
}
