/** JSON as people keep it in editors: with comments, and with commas after the last item. */
import { err, ok, type Result } from './result.ts';
import { errorMessage } from './format.ts';

/** A string, or one of the things that JSON does not know. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

export function parseJsonc(text: string): Result<unknown, string> {
  const plain = text.replace(/^\uFEFF/, '').replace(TOKEN, (token) => (token.startsWith('"') ? token : ' '));
  try {
    return ok(JSON.parse(plain));
  } catch (error) {
    return err(errorMessage(error));
  }
}
