/** The user's own `_meta` of a call, as it is typed. Pure. */
import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';

export interface MetaFieldProps {
  text: string;
  onchange: (text: string) => void;
}

/** Empty, without `meta`; else what is sent. */
export function readMeta(text: string): Result<{ readonly meta?: object }, string> {
  if (text.trim() === '') return ok({});
  try {
    const meta: unknown = JSON.parse(text);
    if (isObject(meta)) return ok({ meta });
  } catch {
    // The same sentence serves for both.
  }
  return err('Metadata must be a JSON object, such as {"example.com/user": "ada"}.');
}

export function metaTextOf(meta: object | undefined): string {
  return meta ? JSON.stringify(meta, undefined, 2) : '';
}
