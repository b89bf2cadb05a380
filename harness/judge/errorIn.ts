/** What the error of a call says, of the tool or of the protocol; `undefined` if it has none. Pure. */
import { objectField, stringField } from '../../src/base/json.ts';
import type { Call } from '../contract.ts';

export function errorIn(call: Call): string | undefined {
  if (call.error) return call.error.message;
  const result = objectField(call, 'result');
  if (result?.['isError'] !== true) return undefined;
  const [first] = Array.isArray(result['content']) ? result['content'] : [];
  return stringField(first, 'text') ?? '';
}
