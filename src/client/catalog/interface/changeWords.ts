/** The difference between two interfaces in words. Pure. */
import { plural } from '../../../base/format.ts';
import type { FieldChange, InterfaceChange } from './diff.ts';
import type { SnapshotList } from './snapshot.ts';

const ITEM_WORDS: Readonly<Record<SnapshotList | 'server', string>> = {
  tools: 'Tool',
  prompts: 'Prompt',
  resources: 'Resource',
  resourceTemplates: 'Resource template',
  server: 'Server',
};

const VALUE_CHARS = 120;

/** "Tool “add” changed" */
export function changeTitle(change: InterfaceChange): string {
  if (change.list === 'server') return 'Server changed';
  return `${ITEM_WORDS[change.list]} “${change.name}” ${change.how}`;
}

/** "inputSchema.properties.a.type: "number" → "string"" */
export function fieldText(change: FieldChange): string {
  if (!('before' in change)) return `${change.path} added: ${short(change.after)}`;
  if (!('after' in change)) return `${change.path} removed: ${short(change.before)}`;
  return `${change.path}: ${short(change.before)} → ${short(change.after)}`;
}

/** "1 added, 2 removed, 3 changed" */
export function sumOfChanges(changes: readonly InterfaceChange[]): string {
  const parts = (['added', 'removed', 'changed'] as const).map((how) => {
    const number = changes.filter((change) => change.how === how).length;
    return number === 0 ? [] : [`${number} ${how}`];
  });
  return parts.flat().join(', ');
}

/** Every change on a line, and every field that differs on one below it. */
export function changeLines(changes: readonly InterfaceChange[], most = Infinity): readonly string[] {
  const lines = changes.flatMap((change) => [
    changeTitle(change),
    ...(change.how === 'changed' ? change.fields.map((field) => `  ${fieldText(field)}`) : []),
  ]);
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), `and ${plural(left, 'more line')}`] : lines;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)}…` : text;
}
