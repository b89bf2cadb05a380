/** Which sample is read by which part of the app. */
import { importedEntry } from '../../src/timeline/share/importedEntry.ts';
import * as readers from './readers.ts';
import { CALL_ANSWERS, ITEMS, LOG, MESSAGES, RESULTS } from './samples.ts';

const CALL = '01JCALL0000000000000000AAA';

const onWire = (parts: object) => ({ jsonrpc: '2.0', ...parts });
const ofCall = (parts: object) => onWire({ id: CALL, ...parts });

function readEntry(value: unknown): void {
  const entry = importedEntry(value);
  if (!entry.ok) return;
  // It's read after the entries that an exported log has before it.
  const before = LOG.entries.slice(0, 11).flatMap((one) => {
    const good = importedEntry(one);
    return good.ok && good.value.seq < entry.value.seq ? [good.value] : [];
  });
  readers.foldEntries([...before, entry.value]);
  readers.readEntries([...before, entry.value]);
}

export type Case = readonly [name: string, message: unknown, read: (value: unknown) => void];

export const CASES: readonly Case[] = [
  ['a tool', ITEMS.tool, readers.readTool],
  ['a resource', ITEMS.resource, readers.readResource],
  ['a resource template', ITEMS.template, readers.readTemplate],
  ['a prompt', ITEMS.prompt, readers.readPrompt],
  ['contents', RESULTS['resources/read'], readers.readContentOf],
  ['prompt messages', RESULTS['prompts/get'], readers.readContentOf],
  ['a result', ofCall({ result: RESULTS['tools/call'] }), readers.readMessage],
  ...Object.entries(CALL_ANSWERS).flatMap(([name, answer]): readonly Case[] => [
    [`an answer (${name})`, ofCall(answer), readers.readMessage],
    [`a stateless answer (${name})`, ofCall(answer), (value) => readers.readMessage(value, 'stateless')],
  ]),
  ...Object.entries(MESSAGES).map(([name, message]): Case => [name, onWire(message), readers.readMessage]),
  ...LOG.entries.map((entry): Case => [
    `an imported entry (${entry.kind} ${String(entry.seq)})`,
    entry,
    readEntry,
  ]),
];
