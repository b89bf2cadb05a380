/** What has changed in the lists of a server, in words. */
import { plural } from '../../base/format.ts';
import type { Few, FewChanged, ListChange } from './reasonFacts.ts';

const TITLES: Readonly<Record<ListChange['list'], string>> = {
  tools: 'Tools',
  resources: 'Resources',
  resourceTemplates: 'Resource templates',
  prompts: 'Prompts',
};

/** "Tools: echo added, sum removed, add changed (input schema)." Empty when nothing has changed. */
export function listChangesText(changes: readonly ListChange[]): string {
  return changes
    .map(({ list, added, removed, changed }) => {
      const parts = [fewText(added, 'added'), fewText(removed, 'removed'), changedText(changed)];
      return `${TITLES[list]}: ${parts.filter((part) => part !== '').join(', ')}.`;
    })
    .join(' ');
}

function fewText({ number, names = [] }: Few, what: string): string {
  if (number === 0) return '';
  return `${withOthers(number, names)} ${what}`;
}

function changedText({ number, items }: FewChanged): string {
  if (number === 0) return '';
  if (!items) return `${number} changed`;
  return withOthers(
    number,
    items.map(({ name, fields }) => `${name} changed (${fields.map(fieldWords).join(', ')})`),
  );
}

function withOthers(number: number, names: readonly string[]): string {
  if (names.length === 0) return String(number);
  const more = number - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${plural(more, 'other')}` : ''}`;
}

/** `inputSchema` is "input schema". */
export function fieldWords(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
