/** What the leading tab does for any tab. */
import { requireNothingHidden } from '../../base/hidden.ts';
import { isObject } from '../../base/json.ts';
import type { BrowserMcpClient } from '../session/browserMcpClient.ts';
import type { PrimitiveCommand } from '../catalog/primitives.ts';
import type { Command } from '../tabs/tabChannel.ts';

/** The commands that the client alone can carry out; the others concern the tab. */
export type ClientCommand = Exclude<
  Command,
  { readonly name: 'connect' | 'record-auth' | 'record-app' | 'free-space' }
>;

export async function performCommand(client: BrowserMcpClient, command: ClientCommand): Promise<unknown> {
  switch (command.name) {
    case 'reconnect':
      await client.session.resume();
      return undefined;
    case 'disconnect':
      await client.session.leave();
      return undefined;
    case 'call':
      return client.call(command.tool, command.args, command.options);
    case 'cancel':
      await client.cancel(command.callId, command.message);
      return undefined;
    case 'forget-call':
      await client.forgetCall(command.callId);
      return undefined;
    case 'answer':
      await client.answer(command.requestId, command.result);
      return undefined;
    case 'decline':
      await client.decline(command.requestId, command.message);
      return undefined;
    case 'complete':
      await client.complete(command.requestId);
      return undefined;
    case 'lists':
      return client.refreshLists();
    case 'list-tasks':
      await client.refreshTasks();
      return undefined;
    case 'follow-task':
      return client.followTask(command.taskId);
    case 'cancel-task':
      await client.cancelTask(command.taskId);
      return undefined;
    case 'request': {
      requireNothingHidden(command.params);
      const primitive = asPrimitive(command.method, command.params);
      return primitive
        ? client.primitives.perform(primitive)
        : client.request(command.method, command.params);
    }
    case 'primitive':
      return client.primitives.perform(command.command);
    case 'authorized':
      return client.authorized(command.reason);
    case 'login-failed':
      client.loginFailed(command.reason);
      return undefined;
  }
}

/** What a stateless server may ask about before it answers; a request with anything beside goes as it was written. */
export function asPrimitive(method: string, params: object): PrimitiveCommand | undefined {
  const { uri, name, arguments: args = {}, ...others } = { ...params } as Record<string, unknown>;
  if (Object.keys(others).length > 0) return undefined;
  if (method === 'resources/read' && typeof uri === 'string') return { does: 'read', uri };
  if (method !== 'prompts/get' || typeof name !== 'string' || !isTexts(args)) return undefined;
  return { does: 'prompt', prompt: name, args };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string');
}
