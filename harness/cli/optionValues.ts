/** The value of one option, read and checked. Pure. */
import { isObject } from '../../src/base/json.ts';
import { HarnessError } from '../harnessError.ts';
import { INTERFACE } from '../interface/verifyInterface.ts';
import type { Level, Terms } from '../report/facts.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { VerifyOptions } from '../verify.ts';
import { readSecret, type Env, type GivenSecret } from './readSecret.ts';
import { suggest } from './suggest.ts';

export function usage(text: string): HarnessError {
  return new HarnessError('usage', text);
}

/** A URL, or `env:NAME` for one that holds a key. */
export function parseUrl(given: string, env: Env): string {
  const { value: text } = readSecret(given, 'The server URL', env);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    throw usage(
      `A server URL with a user name or password can't be used, because browsers reject it. Pass them as --header "Authorization: Basic env:NAME".`,
    );
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw usage(`"${withoutKeys(text)}" isn't a server URL. Use a URL like http://localhost:3000/mcp`);
}

/** What was typed may be a URL with a slip, and its query or its user a secret. */
export const withoutKeys = (text: string): string => text.replace(/[?#].*$/s, '').replace(/^.*@/s, '');

export function readStart(command: string, url: string | undefined): string {
  if (url === undefined) throw usage('--start requires a server URL, because it waits for its port.');
  if (command.trim() === '') throw usage('--start requires a command, such as "npm start".');
  return command;
}

export function readArgs(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The same sentence serves for both.
  }
  throw usage(`--args must be a JSON object, such as '{"steps": 10}', not ${text}`);
}

export function readHeader(text: string, env: Env): readonly [string, GivenSecret] {
  const [name = '', value] = text.split(/:(.*)/s);
  if (value !== undefined && isHeaderName(name.trim())) {
    return [name.trim(), readSecret(value.trim(), `--header ${name.trim()}`, env)];
  }
  throw usage('--header must look like "Name: value" or "Name: env:NAME".');
}

export const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

export function readScenario(name: string): string {
  if (name === INTERFACE || SCENARIOS.some((scenario) => scenario.name === name)) return name;
  const names = SCENARIOS.map((one) => one.name);
  throw usage(`Unknown scenario "${name}".${suggest(name, names)} Available: ${names.join(', ')}.`);
}

export function readNumber(option: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= low && value <= high) return value;
  throw usage(`${option} must be a whole number from ${low} to ${high}, not "${text}".`);
}

export function readTerms(
  failOn: string | undefined,
  require: string | undefined,
): Pick<VerifyOptions, 'terms'> {
  if (failOn === undefined && require === undefined) return {};
  if (require !== undefined && require !== 'A' && require !== 'reload-safe') {
    throw usage(`--require must be A or reload-safe, not "${require}".`);
  }
  const terms: Terms = {
    ...(failOn !== undefined && { failOn: readLevel(failOn) }),
    ...(require !== undefined && { require }),
  };
  return { terms };
}

function readLevel(text: string): Level {
  if (text === 'must' || text === 'should' || text === 'advice') return text;
  throw usage(`--fail-on must be must, should or advice, not "${text}".`);
}

export function readRevision(text: string): { base: Pick<VerifyOptions, 'revision'>; isBoth: boolean } {
  if (text === 'auto' || text === 'both') return { base: {}, isBoth: text === 'both' };
  if (text === 'session' || text === 'stateless') return { base: { revision: text }, isBoth: false };
  throw usage(`--revision must be auto, session, stateless or both, not "${text}".`);
}

/** The app is served by this machine alone, so only the port can be chosen. */
export function readOrigin(text: string): number {
  const [, port] = /^http:\/\/localhost:(\d+)\/?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
  throw usage(`--origin must look like http://localhost:4173, not "${text}".`);
}

export function readShard(text: string): { index: number; total: number } {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  if (shard.index >= 1 && shard.index <= shard.total) return shard;
  throw usage(`--shard must look like 1/4, not "${text}".`);
}
