/** The servers of a run: the one on the command line, or those of a file, or a share of them. */
import { readFile } from 'node:fs/promises';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { HarnessError } from '../harnessError.ts';
import { parseExpectedFailures } from '../judge/terms.ts';
import type { VerifyOptions } from '../verify.ts';
import { isHeaderName, parseUrl, readScenario } from './optionValues.ts';
import { readSecret, type Env } from './readSecret.ts';
import { suggest } from './suggest.ts';
import { takeShare } from './takeShare.ts';
import type { VerifyCommand } from './verifyCommand.ts';

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
    const entry = checkFields(one, path, `entry ${at + 1}`);
    const read = (value: string, field: string): string => {
      const where = `"${field}" of entry ${at + 1}`;
      const secret = readSecret(value, `${path}, ${where}`, env);
      if (secret.isPlain) {
        warn(`Warning: ${where} is in ${path} in plain text. Use env:NAME instead.`);
      }
      return secret.value;
    };
    const { url, tool, args, headers, bearer, scenarios, timeout, seed, reloads, allowNoCors } = entry;
    return {
      ...base,
      url: parseUrl(url, env),
      ...(tool !== undefined && { tool }),
      ...(args && { args }),
      ...(headers && { headers: { ...base.headers, ...readHeaders(headers, path, read) } }),
      ...(bearer !== undefined && { bearer: read(bearer, 'bearer') }),
      ...(scenarios && { scenarios: scenarios.map(readScenario) }),
      ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      ...(seed !== undefined && { seed }),
      ...(reloads !== undefined && { reloads }),
      ...(allowNoCors !== undefined && { allowNoCors }),
    };
  });
}

/** An entry of the file, named like the options. */
interface Entry {
  readonly url: string;
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bearer?: string;
  readonly scenarios?: readonly string[];
  /** In seconds. */
  readonly timeout?: number;
  readonly seed?: number;
  readonly reloads?: number;
  readonly allowNoCors?: boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isCount = (value: unknown): boolean => isWhole(value) && value !== 0;

const FIELDS: Readonly<
  Record<keyof Entry, { readonly is: (value: unknown) => boolean; readonly a: string }>
> = {
  url: { is: isText, a: 'a string' },
  tool: { is: isText, a: 'a string' },
  args: { is: isObject, a: 'an object' },
  headers: {
    is: (value) => isObject(value) && Object.values(value).every(isText),
    a: 'an object of strings',
  },
  bearer: { is: isText, a: 'a string' },
  scenarios: { is: (value) => Array.isArray(value) && value.every(isText), a: 'a list of scenarios' },
  timeout: { is: isCount, a: 'a number of seconds' },
  seed: { is: isWhole, a: 'a whole number' },
  reloads: { is: isCount, a: 'a whole number from 1' },
  allowNoCors: { is: (value) => typeof value === 'boolean', a: 'true or false' },
};

/** A field with a slip in its name must not be left out silently: the run would be another one. */
function checkFields(one: unknown, path: string, where: string): Entry {
  if (!isObject(one) || one['url'] === undefined) throw wrong(path, `${where} has no "url"`);
  for (const [name, value] of Object.entries(one)) {
    const field = Object.entries(FIELDS).find(([known]) => known === name)?.[1];
    if (!field) throw wrong(path, `${where} has an unknown field "${name}"${suggestion(name)}`);
    if (!field.is(value)) throw wrong(path, `"${name}" of ${where} must be ${field.a}`);
  }
  return one as unknown as Entry;
}

/** In brackets, because the sentence goes on. */
function suggestion(name: string): string {
  const found = suggest(name.toLowerCase(), Object.keys(FIELDS)).trim();
  return found === '' ? '' : ` (${found})`;
}

function readHeaders(
  headers: Readonly<Record<string, string>>,
  path: string,
  read: (value: string, field: string) => string,
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
