/** The request for each list of a server. */
import type { SnapshotList } from '../../src/client/catalog/interface/snapshot.ts';

export const LIST_METHODS: Readonly<Record<SnapshotList, string>> = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
};
