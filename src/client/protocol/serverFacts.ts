/** Checks what a server says of itself, as far as the page reads it. Pure. */
import type { DiscoverResult, Implementation, InitializeResult } from '@modelcontextprotocol/client';
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const arrayOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const mapOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const ICON = fields({
  src: isString,
  mimeType: optional(isString),
  sizes: optional(arrayOf(isString)),
  theme: optional((value) => value === 'light' || value === 'dark'),
});
const IMPLEMENTATION = {
  name: isString,
  version: isString,
  title: optional(isString),
  websiteUrl: optional(isString),
  description: optional(isString),
  icons: optional(arrayOf(ICON)),
};
const CHANGING = optional(fields({ listChanged: optional(isFlag) }));
const CAPABILITIES = {
  experimental: optional(mapOf(isObject)),
  extensions: optional(mapOf(isObject)),
  logging: optional(isObject),
  completions: optional(isObject),
  prompts: CHANGING,
  tools: CHANGING,
  resources: optional(fields({ listChanged: optional(isFlag), subscribe: optional(isFlag) })),
  tasks: optional(
    fields({
      list: optional(isObject),
      cancel: optional(isObject),
      requests: optional(fields({ tools: optional(fields({ call: optional(isObject) })) })),
    }),
  ),
};
const INITIALIZE_RESULT = {
  protocolVersion: isString,
  capabilities: fields(CAPABILITIES),
  serverInfo: fields(IMPLEMENTATION),
  instructions: optional(isString),
};
const DISCOVER_RESULT = fields({
  supportedVersions: arrayOf(isString),
  capabilities: fields(CAPABILITIES),
  instructions: optional(isString),
});

/** @returns the result as the server sent it; or which of its members are missing or of another type */
export function readInitializeResult(value: unknown): Result<InitializeResult, readonly string[]> {
  if (isInitializeResult(value)) return ok(value);
  const given = isObject(value) ? value : {};
  const invalid = Object.entries(INITIALIZE_RESULT).flatMap(([name, check]) =>
    check(given[name]) ? [] : [`\`${name}\` is ${given[name] === undefined ? 'missing' : 'invalid'}.`],
  );
  return err(invalid);
}

function isInitializeResult(value: unknown): value is InitializeResult {
  return fields(INITIALIZE_RESULT)(value);
}

export function isDiscoverResult(value: unknown): value is DiscoverResult {
  return DISCOVER_RESULT(value);
}

export function isImplementation(value: unknown): value is Implementation {
  return fields(IMPLEMENTATION)(value);
}
