/** The configuration of an editor, read into servers to bridge: what can't be used is named with its reason. Pure. */
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { isObject, objectField, stringField, type JsonObject } from '../src/base/json.ts';
import { parseJsonc } from '../src/base/jsonc.ts';
import { serverEnvironment, type Env } from './environment.ts';
import type { BridgedServer } from './servers.ts';

export type ConfiguredServer =
  | { readonly kind: 'server'; readonly server: BridgedServer }
  | { readonly kind: 'skipped'; readonly name: string; readonly why: string };

export interface ConfigOptions {
  /** Where the file is. */
  readonly path: string;
  readonly env: Env;
  /** Variables that every program gets, beside its own. */
  readonly named: readonly string[];
  /** Only these servers. */
  readonly only: readonly string[];
}

/** `${NAME}`, `${env:NAME}`, `${NAME:-preset}`, `${input:name}` */
const SIGN = /\$\{(?:(env|input):)?([^}:]+)(?::-([^}]*))?\}/g;

/** What the user has to change; thrown. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readConfig(text: string, options: ConfigOptions): readonly ConfiguredServer[] {
  const parsed = parseJsonc(text);
  if (!parsed.ok) throw new ConfigError(`Invalid JSON in ${options.path}: ${parsed.error}`);
  const entries = entriesOf(parsed.value);
  if (!entries) throw new ConfigError(`${options.path} has neither "servers" nor "mcpServers".`);
  const unknown = options.only.filter((name) => !(name in entries));
  if (unknown.length > 0) {
    const names = Object.keys(entries).join(', ');
    throw new ConfigError(
      `Unknown server "${unknown.join('", "')}" in ${options.path}. Available: ${names}.`,
    );
  }
  return Object.entries(entries)
    .filter(([name]) => options.only.length === 0 || options.only.includes(name))
    .map(([name, entry]) => readEntry(name, entry, options));
}

function entriesOf(value: unknown): JsonObject | undefined {
  const inSettings = isObject(value) && (objectField(value, 'mcp') ?? value);
  if (!inSettings) return undefined;
  return objectField(inSettings, 'servers') ?? objectField(inSettings, 'mcpServers');
}

function readEntry(name: string, entry: unknown, options: ConfigOptions): ConfiguredServer {
  const skipped = (why: string): ConfiguredServer => ({ kind: 'skipped', name, why });
  if (!isObject(entry)) return skipped("its entry isn't an object.");
  if (entry['disabled'] === true || entry['enabled'] === false) return skipped('disabled in the file.');
  const filled = fillIn(entry, options);
  if ('missing' in filled) {
    return skipped(`${filled.missing} has no value. Run this server separately, with --env.`);
  }
  const { value } = filled;
  const url = stringField(value, 'url') ?? stringField(value, 'httpUrl') ?? stringField(value, 'serverUrl');
  if (url !== undefined) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return skipped('its URL is invalid.');
    const headers = textsOf(objectField(value, 'headers'));
    return { kind: 'server', server: { transport: 'http', name, url, headers } };
  }
  const command = stringField(value, 'command');
  if (command === undefined) return skipped('no command and no URL.');
  const args = Array.isArray(value['args']) ? value['args'].filter((one) => typeof one === 'string') : [];
  const cwd = stringField(value, 'cwd');
  const folder = folderOf(options.path);
  const env = {
    ...serverEnvironment(options.env, options.named).values,
    ...textsOf(objectField(value, 'env')),
  };
  const program = {
    command,
    args,
    env,
    ...(cwd !== undefined && { cwd: isAbsolute(cwd) ? cwd : resolve(folder, cwd) }),
  };
  return { kind: 'server', server: { transport: 'stdio', name, program } };
}

/** Puts values in the place of `${…}`, in every string of the entry. */
function fillIn(
  entry: JsonObject,
  { env, path }: ConfigOptions,
): { readonly value: JsonObject } | { readonly missing: string } {
  let missing: string | undefined;
  const fill = (text: string): string =>
    text.replace(SIGN, (sign, kind: string | undefined, name: string, preset: string | undefined) => {
      const value = kind === 'input' ? undefined : (EDITOR[name]?.(path) ?? env[name] ?? preset);
      if (value === undefined) missing ??= sign;
      return value ?? sign;
    });
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value);
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  const value = walk(entry) as JsonObject;
  return missing === undefined ? { value } : { missing };
}

/** Variables of editors that have a meaning without one. */
const EDITOR: Readonly<Record<string, (path: string) => string>> = {
  workspaceFolder: folderOf,
  userHome: () => homedir(),
  '/': () => '/',
};

/** The folder of the project: that of the file, or the one above `.vscode` and its like. */
function folderOf(path: string): string {
  const folder = dirname(resolve(path));
  return basename(folder).startsWith('.') ? dirname(folder) : folder;
}

function textsOf(value: JsonObject | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value ?? {}).flatMap(([name, one]) =>
      typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean'
        ? [[name, String(one)]]
        : [],
    ),
  );
}
