/** What is kept of a server beside its log, without the secrets that a server has put into it. */
import { isObject } from '../../base/json.ts';
import type { Redactor } from '../../wire/redact.ts';
import type { Session } from '../link/session.ts';
import type { Catalog } from '../catalog/catalog.ts';

/** What a request names is sent back as it was listed. */
const NAMES = new Set(['name', 'uri', 'uriTemplate', 'taskId']);

export function redactLists(lists: Catalog, redactor: Redactor): Catalog {
  const redactItem = (item: unknown): unknown => {
    if (!isObject(item)) return item;
    const names = Object.entries(item).filter(([name]) => NAMES.has(name));
    return { ...redactor.value(item), ...Object.fromEntries(names) };
  };
  const redactList = <T>(items: readonly T[]): readonly T[] => items.map((item) => redactItem(item) as T);
  const { tools, resources, resourceTemplates, prompts, tasks, problems } = lists;
  return {
    tools: redactList(tools),
    resources: redactList(resources),
    resourceTemplates: redactList(resourceTemplates),
    prompts: redactList(prompts),
    ...(tasks && { tasks: redactList(tasks) }),
    ...(problems && { problems: redactor.value(problems) }),
  };
}

/** The session ID stays: without it there is nothing to come back to. */
export function redactSession(session: Session, redactor: Redactor): Session {
  const { handshake, discover, ...rest } = session;
  return {
    ...rest,
    handshake: redactor.value(handshake),
    ...(discover && { discover: redactor.value(discover) }),
  };
}
