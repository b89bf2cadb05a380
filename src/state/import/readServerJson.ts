/** A server.json of the MCP registry: the remotes that it names, and the packages that it would have you run. */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Imported } from './imported.ts';
import { readRemote } from './readEntry.ts';

export function isServerJson(value: JsonObject): boolean {
  return Array.isArray(value['remotes']) || Array.isArray(value['packages']);
}

export function readServerJson(value: JsonObject): readonly Imported[] {
  const name = stringField(value, 'title') ?? stringField(value, 'name') ?? 'server';
  return [
    ...listOf(value, 'remotes').map((remote) => readRegistryRemote(name, remote)),
    ...listOf(value, 'packages').map((one): Imported => {
      const transport = stringField(objectField(one, 'transport'), 'type') ?? 'stdio';
      const command = [stringField(one, 'runtimeHint'), stringField(one, 'identifier')]
        .filter(Boolean)
        .join(' ');
      const registry = stringField(one, 'registryType') ?? 'a registry';
      return {
        kind: 'unusable',
        name: `${name} (${command === '' ? 'package' : command})`,
        why: `It is a package of ${registry} that runs on your computer (${transport}), and a page cannot start programs. Start it yourself with an HTTP transport, then add its address.`,
      };
    }),
  ];
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
