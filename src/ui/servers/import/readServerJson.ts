/** A server.json of the MCP registry: the remotes that it names, and the packages that it would have you run. */
import { isObject, objectField, stringField, type JsonObject } from '../../../base/json.ts';
import type { Imported } from './imported.ts';
import { readProgram, readRemote } from './readEntry.ts';

export function isServerJson(value: JsonObject): boolean {
  return Array.isArray(value['remotes']) || Array.isArray(value['packages']);
}

export function readServerJson(value: JsonObject): readonly Imported[] {
  const name = stringField(value, 'title') ?? stringField(value, 'name') ?? 'server';
  return [
    ...listOf(value, 'remotes').map((remote) => readRegistryRemote(name, remote)),
    ...listOf(value, 'packages').map((one) => readPackage(name, one)),
  ];
}

/** How a package of each kind is run, if it says nothing else. */
const RUN: Readonly<Record<string, (id: string, version: string | undefined) => readonly string[]>> = {
  npm: (id, version) => ['npx', '-y', version === undefined ? id : `${id}@${version}`],
  pypi: (id, version) => ['uvx', version === undefined ? id : `${id}@${version}`],
  oci: (id) => ['docker', 'run', '-i', '--rm', id],
};

function readPackage(name: string, one: JsonObject): Imported {
  const registry = stringField(one, 'registryType') ?? 'a registry';
  const identifier = stringField(one, 'identifier');
  const transport = stringField(objectField(one, 'transport'), 'type') ?? 'stdio';
  const run = RUN[registry];
  if (!run || identifier === undefined || transport !== 'stdio') {
    const command = [stringField(one, 'runtimeHint'), identifier].filter(Boolean).join(' ');
    return {
      kind: 'unusable',
      name: `${name} (${command === '' ? 'package' : command})`,
      why: `This ${registry} package runs locally (${transport}), and browsers can’t start local programs. Start it with an HTTP transport, then add its URL.`,
    };
  }
  const env = listOf(one, 'environmentVariables').flatMap((variable) => stringField(variable, 'name') ?? []);
  const words = [
    ...run(identifier, stringField(one, 'version')),
    ...listOf(one, 'packageArguments').flatMap(readArgument),
  ];
  return readProgram(`${name} (${identifier})`, words, env);
}

/** `--name value`, or a value alone; one that the user has to give stands in braces. */
function readArgument(argument: JsonObject): readonly string[] {
  const flag = argument['type'] === 'named' ? [stringField(argument, 'name') ?? ''] : [];
  const given = stringField(argument, 'value') ?? stringField(argument, 'default');
  const hint = stringField(argument, 'valueHint');
  if (given !== undefined) return [...flag, given];
  return argument['isRequired'] === true && hint !== undefined ? [...flag, `\${${hint}}`] : flag;
}

/** The registry writes `{host}` where an editor writes `${host}`. */
function readRegistryRemote(name: string, remote: JsonObject): Imported {
  const signs = (text: string) => text.replace(/\$?\{([^{}]+)\}/g, '${$1}');
  const secrets = new Set<string>();
  const headers: Record<string, string> = {};
  for (const header of listOf(remote, 'headers')) {
    const key = stringField(header, 'name');
    if (key === undefined) continue;
    if (header['isSecret'] === true) secrets.add(key);
    for (const [variable, about] of Object.entries(objectField(header, 'variables') ?? {})) {
      if (isObject(about) && about['isSecret'] === true) secrets.add(variable);
    }
    const value = stringField(header, 'value') ?? stringField(header, 'default');
    if (value !== undefined) headers[key] = signs(value);
    else if (header['isRequired'] === true) headers[key] = `\${${key}}`;
  }
  return readRemote(name, signs(stringField(remote, 'url') ?? ''), headers, remote, secrets);
}

function listOf(value: JsonObject, key: string): readonly JsonObject[] {
  const list = value[key];
  return Array.isArray(list) ? list.filter(isObject) : [];
}
