/** One entry of an editor's configuration: a remote server, or a program to start. */
import { asText } from '../../../base/asText.ts';
import { isObject, objectField, stringField, type JsonObject } from '../../../base/json.ts';
import { bridgeCommand, shellQuote } from '../../../state/bridgeCommand.ts';
import type { Imported, Missing } from './imported.ts';

/** `${TOKEN}`, `${env:TOKEN}`, `${input:token}`, `${TOKEN:-preset}` */
const SIGN = /\$\{(?:(?:env|input):)?([A-Za-z0-9_.-]+)(?::-([^}]*))?\}/g;

const SSE_NOTE =
  'Uses HTTP+SSE (deprecated): a reload ends the session. Check whether the server also supports Streamable HTTP at /mcp.';

export function readEntry(name: string, entry: unknown, secrets: ReadonlySet<string>): Imported {
  if (!isObject(entry)) return { kind: 'unusable', name, why: 'Not an object.' };
  const address = ['url', 'httpUrl', 'serverUrl', 'endpoint', 'uri']
    .map((key) => stringField(entry, key))
    .find((value) => value !== undefined);
  if (address !== undefined) return readRemote(name, address, headersOf(entry), entry, secrets);
  const bridged = readBridge(entry);
  if (bridged) return readRemote(name, bridged.url, bridged.headers, {}, secrets, [bridged.note]);
  const command = commandOf(entry);
  if (command) return readProgram(name, command, Object.keys(environmentOf(entry)));
  return { kind: 'unusable', name, why: 'Has neither a “url” nor a “command”.' };
}

/** @param env the names of the variables that it needs; their values don't belong into a command */
export function readProgram(name: string, words: readonly string[], env: readonly string[]): Imported {
  const command = words.map(shellQuote).join(' ');
  return {
    kind: 'stdio',
    name,
    command,
    bridge: bridgeCommand(command, env),
    notes: [
      ...(env.length > 0 ? [`Set ${env.join(', ')} in the terminal first.`] : []),
      ...(words.some((word) => word.includes('${')) ? ['Replace each ${…} with its value.'] : []),
    ],
  };
}

export function readRemote(
  name: string,
  address: string,
  headers: Readonly<Record<string, string>>,
  entry: JsonObject,
  secrets: ReadonlySet<string>,
  notes: readonly string[] = [],
): Imported {
  const missing = findSigns([address, ...Object.values(headers)].join('\n'), secrets);
  const sample = missing.reduce((text, { sign }) => text.replaceAll(sign, 'x'), address);
  const url = URL.parse(sample);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { kind: 'unusable', name, why: `“${address}” isn’t an http or https URL.` };
  }
  const type = (stringField(entry, 'type') ?? stringField(entry, 'transport') ?? '').toLowerCase();
  return {
    kind: 'http',
    name,
    url: address,
    headers,
    missing,
    notes: [
      ...notes,
      ...(type === 'sse' ? [SSE_NOTE] : []),
      ...(entry['disabled'] === true || entry['enabled'] === false ? ['Disabled in the config.'] : []),
    ],
  };
}

function findSigns(text: string, secrets: ReadonlySet<string>): readonly Missing[] {
  const found = new Map<string, Missing>();
  for (const [sign, label = '', preset] of text.matchAll(SIGN)) {
    const isSecret = secrets.has(label) || /token|key|secret|password|auth|pat\b/i.test(label);
    found.set(sign, { sign, label, isSecret, ...(preset !== undefined && { preset }) });
  }
  return [...found.values()];
}

function headersOf(entry: JsonObject): Readonly<Record<string, string>> {
  const given =
    objectField(entry, 'headers') ?? objectField(objectField(entry, 'requestInit'), 'headers') ?? {};
  const texts = Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const bearer = stringField(entry, 'bearer_token') ?? stringField(entry, 'bearerToken');
  return {
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...Object.fromEntries(texts),
  };
}

/** The program and its arguments. */
function commandOf(entry: JsonObject): readonly string[] | undefined {
  const { command } = entry;
  // opencode writes program and arguments as one list, Zed as an object.
  if (Array.isArray(command)) return command.map(asText);
  if (isObject(command)) {
    const path = stringField(command, 'path');
    return path === undefined ? undefined : [path, ...textsOf(command['args'])];
  }
  return typeof command === 'string' ? [command, ...textsOf(entry['args'])] : undefined;
}

/** opencode and Zed have names of their own for it. */
function environmentOf(entry: JsonObject): JsonObject {
  const inCommand = objectField(objectField(entry, 'command'), 'env');
  return objectField(entry, 'env') ?? objectField(entry, 'environment') ?? inCommand ?? {};
}

/** mcp-remote is a program that does nothing but talk to a remote server: the page can do that itself. */
function readBridge(
  entry: JsonObject,
): { readonly url: string; readonly headers: Record<string, string>; readonly note: string } | undefined {
  const all = Array.isArray(entry['command']) ? textsOf(entry['command']) : textsOf(entry['args']);
  const at = all.findIndex((one) => /^mcp-remote(@|$)/.test(one));
  const url = all.slice(at + 1).find((one) => /^https?:\/\//i.test(one));
  if (at < 0 || url === undefined) return undefined;
  const env = objectField(entry, 'env') ?? {};
  const headers: Record<string, string> = {};
  all.forEach((one, i) => {
    const [, header, value] = one === '--header' ? (/^([^:]+):\s*(.*)$/.exec(all[i + 1] ?? '') ?? []) : [];
    if (header === undefined || value === undefined) return;
    headers[header] = value.replace(SIGN, (sign, name: string) => {
      const known = env[name];
      return typeof known === 'string' ? known : sign;
    });
  });
  return {
    url,
    headers,
    note: 'Configured with mcp-remote. Reprise connects directly instead.',
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
