/** What was read of a resource, as blocks like those of a result. */
import { isObject } from '../../base/json.ts';
import { blocksOf, type ShownBlock } from './contentBlocks.ts';

export function resourceBlocks(read: object): readonly ShownBlock[] {
  const contents = isObject(read) ? read['contents'] : undefined;
  if (!Array.isArray(contents)) return blocksOf(read);
  return blocksOf({ content: contents.map((resource: unknown) => ({ type: 'resource', resource })) });
}
