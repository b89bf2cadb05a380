/** What a tool says of itself, in words: for its badges, and for the search. */
import type { Tool } from '@modelcontextprotocol/client';

export interface Badge {
  readonly word: string;
  readonly about: string;
}

export function badgesOf(tool: Tool): readonly Badge[] {
  const hints = tool.annotations ?? {};
  const says = (hint: boolean, word: string, about: string) => (hint ? [{ word, about }] : []);
  return [
    ...says(
      hints.readOnlyHint === true,
      'read-only',
      'Declares that it doesn’t modify anything (readOnlyHint).',
    ),
    ...says(
      hints.readOnlyHint !== true && hints.destructiveHint === true,
      'destructive',
      'Declares that it may delete or overwrite data (destructiveHint).',
    ),
    ...says(
      hints.idempotentHint === true,
      'idempotent',
      'Declares that repeating a call has no further effect (idempotentHint).',
    ),
    ...says(
      hints.openWorldHint === true,
      'open world',
      'Declares that it interacts with external systems (openWorldHint).',
    ),
  ];
}

export function titleOf(tool: Tool): string {
  const title = tool.title ?? tool.annotations?.title;
  return typeof title === 'string' && title !== '' ? title : tool.name;
}

/** As much of a description as is searched: some are long. */
const SEARCHED_CHARS = 2000;

/** The tools that have all of the words somewhere in their name, title, description or badges. */
export function searchTools(tools: readonly Tool[], words: string): readonly Tool[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return tools;
  return tools.filter((tool) => {
    const badges = badgesOf(tool).map(({ word }) => word);
    const about = tool.description?.slice(0, SEARCHED_CHARS) ?? '';
    const text = [tool.name, titleOf(tool), about, ...badges].join('\n').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
