/** What the author of a server should know, beside what becomes of its calls. Pure. */
import type { JsonObject } from '../../src/base/json.ts';
import { authorNotes } from '../../src/client/catalog/interface/authorNotes.ts';
import { sizeToolList } from '../../src/client/catalog/interface/toolSizes.ts';
import type { Tool } from '../contract.ts';
import type { Report } from '../report/facts.ts';
import { plainQuotes } from './plainQuotes.ts';

/** Long tools that should be tasks are told with the cost of a reload. */
export function describeInterface(
  tools: readonly Tool[],
  capabilities: JsonObject,
): Pick<Report, 'toolList' | 'notes'> {
  const { bytes, tokens } = sizeToolList(tools);
  const deprecated = capabilities['logging'] === undefined ? [] : (['logging'] as const);
  const notes = authorNotes({ deprecated, tools, cancelledByReload: [] }).map((note) => ({
    ...note,
    text: plainQuotes(note.text),
  }));
  return {
    toolList: { tools: tools.length, bytes, estimatedTokens: tokens },
    ...(notes.length > 0 && { notes }),
  };
}
