/** What a resource turns out to be when it is read: decided by its declared type and by its first bytes. */
import { isObject, stringField } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';

export type ResourceContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly src: string; readonly bytes: Uint8Array }
  | { readonly kind: 'audio'; readonly src: string; readonly bytes: Uint8Array }
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  /** What cannot be read is shown as it came. */
  | { readonly kind: 'odd'; readonly why: string; readonly value: unknown };

export interface ReadContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly content: ResourceContent;
}

/** Types that a browser shows in an `img`, where no script of theirs can run. */
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon)$/;
const AUDIO = /^audio\/[\w.+-]+$/;

export function readContents(result: object): readonly ReadContent[] {
  const contents = isObject(result) ? result['contents'] : undefined;
  return Array.isArray(contents) ? contents.map(readContent) : [];
}

export function readContent(item: unknown): ReadContent {
  const uri = stringField(item, 'uri') ?? '';
  const mimeType = (stringField(item, 'mimeType') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { uri, mimeType, content: contentOf(item, mimeType) };
}

function contentOf(item: unknown, mimeType: string): ResourceContent {
  const text = stringField(item, 'text');
  if (text !== undefined) return { kind: 'text', text };
  const blob = stringField(item, 'blob');
  if (blob === undefined) return { kind: 'odd', why: 'No “text” or “blob”.', value: item };
  const decoded = decodeBase64(blob);
  if (!decoded.ok) return { kind: 'odd', why: decoded.error, value: item };
  const bytes = decoded.value;
  if (startsWith(bytes, '%PDF-')) return { kind: 'pdf', bytes };
  if (IMAGE.test(mimeType)) return { kind: 'image', src: `data:${mimeType};base64,${blob}`, bytes };
  if (AUDIO.test(mimeType)) return { kind: 'audio', src: `data:${mimeType};base64,${blob}`, bytes };
  return { kind: 'binary', bytes };
}

function decodeBase64(text: string): Result<Uint8Array<ArrayBuffer>, string> {
  try {
    return ok(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return err('Invalid base64 in “blob”.');
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Array.from(text).every((character, i) => bytes[i] === character.charCodeAt(0));
}

/** The last part of an address, as the name of a file. */
export function fileNameOf(uri: string): string {
  const last = uri.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? '';
  return last.replace(/[^\w.-]+/g, '_') || 'resource';
}
