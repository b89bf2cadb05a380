/** Which command sends a request. What a restarted server must be told again is remembered, not just sent. Pure. */
import { stringField } from '../../base/json.ts';
import type { PrimitiveCommand } from '../catalog/primitives.ts';
import type { Command } from '../tabs/tabChannel.ts';

export function requestCommand(method: string, params: object): Command {
  if (method === 'tools/call') throw new TypeError('Use client.call() for tools/call.');
  const command = rememberedRequest(method, params);
  return command ? { name: 'primitive', command } : { name: 'request', method, params };
}

function rememberedRequest(method: string, params: object): PrimitiveCommand | undefined {
  const uri = stringField(params, 'uri');
  const level = stringField(params, 'level');
  if (method === 'resources/subscribe' && uri !== undefined) return { does: 'subscribe', uri };
  if (method === 'resources/unsubscribe' && uri !== undefined) return { does: 'unsubscribe', uri };
  return method === 'logging/setLevel' && level !== undefined ? { does: 'level', level } : undefined;
}
