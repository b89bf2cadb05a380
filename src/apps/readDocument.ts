/** Reads the document of a view from the response to `resources/read`. */
import { isObject, objectField, stringField } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { VIEW_TYPE } from './toolView.ts';

export interface ViewDocument {
  readonly uri: string;
  readonly html: string;
  /** `_meta.ui` of the content or of its entry in the list, as the server sent it. */
  readonly ui: Readonly<Record<string, unknown>>;
}

/** The metadata of a content may be missing: then that of the resource in the list holds. */
export type ReadDocument = Omit<ViewDocument, 'ui'> & Partial<Pick<ViewDocument, 'ui'>>;

/** @param item a content or a resource */
export const uiOf = (item: unknown): ViewDocument['ui'] | undefined =>
  objectField(objectField(item, '_meta'), 'ui');

export function readDocument(uri: string, response: unknown): Result<ReadDocument, string> {
  const contents = isObject(response) ? response['contents'] : undefined;
  const all: readonly unknown[] = Array.isArray(contents) ? contents : [];
  const content = all.find((one) => stringField(one, 'uri') === uri) ?? all[0];
  if (!isObject(content)) return err(`The resource ${uri} has no content.`);
  const type = stringField(content, 'mimeType') ?? '';
  if (type.replaceAll(/\s/g, '') !== VIEW_TYPE) {
    return err(`The resource ${uri} has the type “${type.slice(0, 60)}”. A view must have ${VIEW_TYPE}.`);
  }
  const html = stringField(content, 'text') ?? decode(stringField(content, 'blob'));
  if (html === undefined) return err(`The resource ${uri} has no text and no readable blob.`);
  const ui = uiOf(content);
  return ok({ uri, html, ...(ui && { ui }) });
}

function decode(blob: string | undefined): string | undefined {
  if (blob === undefined) return undefined;
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(blob), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
