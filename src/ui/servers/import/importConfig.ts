/** Reads servers from what people have at hand: an mcp.json, a server.json, the settings of an editor. */
import { isObject, objectField, stringField, type JsonObject } from '../../../base/json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { Imported } from './imported.ts';
import { parseJsonc } from '../../../base/jsonc.ts';
import { readEntry } from './readEntry.ts';
import { isServerJson, readServerJson } from './readServerJson.ts';

/** Where editors keep them: Claude, Cursor, Windsurf, Cline, Gemini · VS Code · Zed · Amp. */
const PLACES = ['mcpServers', 'servers', 'context_servers', 'amp.mcpServers'] as const;

export function importConfig(text: string): Result<readonly Imported[], string> {
  const trimmed = text.trim();
  if (trimmed === '') return err('Paste a config first.');
  const parsed = parseLoosely(trimmed);
  if (!parsed.ok) return err(whyNotJson(trimmed, parsed.error));
  const found = readAny(parsed.value);
  return found.length > 0
    ? ok(found)
    : err('No servers found. Expected “mcpServers”, “servers” or “remotes”, or a single entry with a “url”.');
}

/** Whoever copies one entry from the middle of a file leaves the braces around it behind. */
function parseLoosely(text: string): Result<unknown, string> {
  const whole = parseJsonc(text);
  if (whole.ok || !/^"[^"]*"\s*:/.test(text)) return whole;
  return parseJsonc(`{${text.replace(/,\s*$/, '')}}`);
}

function readAny(value: unknown): readonly Imported[] {
  if (Array.isArray(value)) return value.flatMap(readAny);
  if (!isObject(value)) return [];
  const wrapped = objectField(value, 'server');
  if (wrapped && isServerJson(wrapped)) return readServerJson(wrapped);
  if (isServerJson(value)) return readServerJson(value);
  const secrets = secretInputs(value);
  const listed = PLACES.flatMap((place) => entriesOf(value[place], secrets));
  // VS Code's settings.json has them under "mcp"; opencode has the entries there.
  const nested = objectField(value, 'mcp');
  const inside = nested ? readNested(nested, secrets) : [];
  if (listed.length + inside.length > 0) return [...listed, ...inside];
  if (isEntry(value)) return [readEntry(stringField(value, 'name') ?? nameOf(value), value, secrets)];
  return Object.values(value).some(isEntry) ? entriesOf(value, secrets) : [];
}

function readNested(nested: JsonObject, secrets: ReadonlySet<string>): readonly Imported[] {
  const found = readAny(nested);
  return found.length > 0 ? found : entriesOf(nested, secrets);
}

function entriesOf(value: unknown, secrets: ReadonlySet<string>): readonly Imported[] {
  if (Array.isArray(value)) {
    return value
      .filter(isObject)
      .flatMap((entry) => (isEntry(entry) ? readAny(entry) : readAny(entry['server'])));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, entry]) => readEntry(name, entry, secrets));
}

function isEntry(value: unknown): boolean {
  return (
    isObject(value) && ['url', 'httpUrl', 'serverUrl', 'command'].some((key) => value[key] !== undefined)
  );
}

function nameOf(value: JsonObject): string {
  const address = stringField(value, 'url') ?? stringField(value, 'httpUrl');
  return (address === undefined ? undefined : URL.parse(address)?.host) ?? 'server';
}

/** VS Code asks for inputs, and says which of them are passwords. */
function secretInputs(value: JsonObject): ReadonlySet<string> {
  const inputs = value['inputs'];
  const all = Array.isArray(inputs) ? inputs.filter(isObject) : [];
  return new Set(
    all.flatMap((input) => (input['password'] === true ? [stringField(input, 'id') ?? ''] : [])),
  );
}

function whyNotJson(text: string, problem: string): string {
  if (/^\s*\[[\w."-]+\]\s*$/m.test(text)) {
    return 'TOML isn’t supported. Paste JSON, or add the server by URL.';
  }
  if (/^\s*[\w-]+:\s*(\S.*)?$/m.test(text) && !text.startsWith('{')) {
    return 'YAML isn’t supported. Paste JSON, or add the server by URL.';
  }
  return `Invalid JSON: ${problem}`;
}
