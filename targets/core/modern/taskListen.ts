/**
 * `subscriptions/listen` with task ids in its filter. The SDK's own streams know the core's notifications alone, so a
 * stream that is to carry `notifications/tasks` is written here, with the others beside.
 */
import {
  SUBSCRIPTION_ID_META_KEY,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { isRecord } from '../messages.ts';
import type { TaskLedger } from '../tasks/taskLedger.ts';
import { detailed } from './modernTasks.ts';

const encoder = new TextEncoder();

export interface ListenRequest {
  readonly id: string | number;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly taskIds: readonly string[];
}

/** `undefined` if it is no such request. */
export function asTaskListen(body: unknown): ListenRequest | undefined {
  if (!isRecord(body) || body['method'] !== 'subscriptions/listen') return undefined;
  const filter = isRecord(body['params']) ? body['params']['notifications'] : undefined;
  const taskIds = isRecord(filter) ? filter['taskIds'] : undefined;
  const id = body['id'];
  if (!isRecord(filter) || !Array.isArray(taskIds)) return undefined;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return { id, filter, taskIds: taskIds.filter((taskId) => typeof taskId === 'string') };
}

export function listenToTasks(
  { id, filter, taskIds }: ListenRequest,
  ledger: TaskLedger,
  bus: ServerEventBus,
): Response {
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const notify = (method: string, params: object) => {
        const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
        const message = { jsonrpc: '2.0', method, params: { ...params, _meta } };
        controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
      };
      notify('notifications/subscriptions/acknowledged', { notifications: { ...filter, taskIds } });
      const wanted = new Set(taskIds);
      const stopTasks = ledger.onChange((task) => {
        if (wanted.has(task.id)) notify('notifications/tasks', detailed(task));
      });
      const stopEvents = bus.subscribe((event) => {
        const notification = asNotification(event, filter);
        if (notification) notify(notification.method, notification.params);
      });
      stop = () => {
        stopTasks();
        stopEvents();
      };
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
  });
}

function asNotification(event: ServerEvent, filter: ListenRequest['filter']) {
  switch (event.kind) {
    case 'tools_list_changed':
      return (
        filter['toolsListChanged'] === true && { method: 'notifications/tools/list_changed', params: {} }
      );
    case 'prompts_list_changed':
      return (
        filter['promptsListChanged'] === true && { method: 'notifications/prompts/list_changed', params: {} }
      );
    case 'resources_list_changed':
      return (
        filter['resourcesListChanged'] === true && {
          method: 'notifications/resources/list_changed',
          params: {},
        }
      );
    case 'resource_updated': {
      const uris = filter['resourceSubscriptions'];
      const isWanted = Array.isArray(uris) && uris.includes(event.uri);
      return isWanted && { method: 'notifications/resources/updated', params: { uri: event.uri } };
    }
  }
}
