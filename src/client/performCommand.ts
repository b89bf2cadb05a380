/** What the leading tab does for any tab. */
import type { BrowserMcpClient } from './browserMcpClient.ts';
import type { Command } from './tabChannel.ts';

/** The commands that the client alone can carry out; the others concern the tab. */
export type ClientCommand = Exclude<Command, { readonly name: 'connect' | 'record-auth' }>;

export async function performCommand(client: BrowserMcpClient, command: ClientCommand): Promise<unknown> {
  switch (command.name) {
    case 'disconnect':
      await client.disconnect();
      return undefined;
    case 'call':
      return client.call(command.tool, command.args, command.options);
    case 'cancel':
      await client.cancel(command.callId);
      return undefined;
    case 'answer':
      await client.answer(command.requestId, command.result);
      return undefined;
    case 'decline':
      await client.decline(command.requestId);
      return undefined;
    case 'complete':
      await client.complete(command.requestId);
      return undefined;
    case 'lists':
      return client.refreshLists();
    case 'request':
      return client.request(command.method, command.params);
    case 'primitive':
      return client.primitives.perform(command.command);
    case 'authorized':
      return client.authorized(command.why);
    case 'login-failed':
      client.loginFailed(command.why);
      return undefined;
  }
}
