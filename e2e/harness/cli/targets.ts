/** The servers of a run: the one on the command line, or those of a file, or a share of them. */
import { readFile } from 'node:fs/promises';
import { isObject, stringField, type JsonObject } from '../../../src/base/json.ts';
import { HarnessError } from '../harnessError.ts';
import { parseExpectedFailures } from '../judge/terms.ts';
import type { VerifyOptions } from '../verify.ts';
import { isHeaderName, parseUrl, readScenario, type VerifyCommand } from './options.ts';
import { readSecret, type Env } from './readSecret.ts';
import { takeShare } from './takeShare.ts';

interface World {
  readonly env?: Env;
  readonly warn?: (text: string) => void;
}

export async function readTargets(
  { url, targets, shard, base: given, isBoth = false, expectedFailures }: VerifyCommand,
  world: World,
): Promise<readonly VerifyOptions[]> {
  const base = expectedFailures === undefined ? given : await withExpected(given, expectedFailures);
  const path = targets ?? '';
  const all =
    url === undefined
      ? parseTargets(await readText(path, 'the targets'), path, base, world)
      : [{ ...base, url }];
  if (all.length === 0) throw wrong(path, 'it has no server');
  return inRevisions(shard ? takeShare(all, shard) : all, isBoth);
}

type Base = VerifyCommand['base'];

async function withExpected(base: Base, path: string): Promise<Base> {
  const text = await readText(path, 'the expected failures');
  const expectedFailures = parseExpectedFailures(text).map(readScenario);
  return { ...base, terms: { ...base.terms, expectedFailures } };
}

function inRevisions(targets: readonly VerifyOptions[], isBoth: boolean): readonly VerifyOptions[] {
  if (!isBoth) return targets;
  return targets.flatMap((target): VerifyOptions[] => [
    { ...target, revision: 'session' },
    { ...target, revision: 'stateless' },
  ]);
}

export function parseTargets(
  text: string,
  path: string,
  base: Omit<VerifyOptions, 'url'>,
  { env = {}, warn = () => undefined }: World = {},
): readonly VerifyOptions[] {
  const list = parseJson(text, path);
  if (!Array.isArray(list)) throw wrong(path, 'expected a JSON array');
  return list.map((one: unknown, at): VerifyOptions => {
    if (typeof one === 'string') return { ...base, url: parseUrl(one, env) };
    const url = stringField(one, 'url');
    if (!isObject(one) || url === undefined) throw wrong(path, `entry ${at + 1} has no "url"`);
    const { tool, args, headers, bearer, scenarios } = one;
    const read = (value: unknown, field: string): string => {
      const where = `"${field}" of entry ${at + 1}`;
      if (typeof value !== 'string') throw wrong(path, `${where} must be a text`);
      const secret = readSecret(value, `${path}, ${where}`, env);
      if (secret.isPlain) {
        warn(`Warning: ${where} is in ${path} in plain text. Use env:NAME instead.`);
      }
      return secret.value;
    };
    return {
      ...base,
      url: parseUrl(url, env),
      ...(typeof tool === 'string' && { tool }),
      ...(isObject(args) && { args }),
      ...(isObject(headers) && { headers: { ...base.headers, ...readHeaders(headers, path, read) } }),
      ...(bearer !== undefined && { bearer: read(bearer, 'bearer') }),
      ...(Array.isArray(scenarios) && { scenarios: scenarios.map((name) => readScenario(String(name))) }),
    };
  });
}

function readHeaders(
  headers: JsonObject,
  path: string,
  read: (value: unknown, field: string) => string,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (!isHeaderName(name)) throw wrong(path, `"${name}" isn't a valid header name`);
    return [name, read(value, name)] as const;
  });
  return Object.fromEntries(entries);
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new HarnessError('usage', `Can't read ${what} from ${path}.`, { cause: error });
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(path, 'invalid JSON');
  }
}

function wrong(path: string, why: string): HarnessError {
  const example = '[ "http://localhost:3000/mcp", { "url": "http://localhost:3001/mcp", "tool": "work" } ]';
  return new HarnessError('usage', `Invalid targets in ${path}: ${why}. Example: ${example}`);
}
