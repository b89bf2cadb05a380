/** A tool's result as blocks that are safe to draw: text, pictures and sound of known types, resources, and JSON for the rest. */
import { asText } from '../../base/asText.ts';
import { canonical } from '../../base/canonical.ts';
import { isObject, numberField, objectField, stringField } from '../../base/json.ts';

export type Block =
  | { readonly kind: 'text'; readonly text: string; readonly mimeType: string; readonly title?: string }
  | { readonly kind: 'json'; readonly title: string; readonly value: unknown }
  | { readonly kind: 'structured'; readonly value: unknown }
  | { readonly kind: 'image'; readonly src: string; readonly title: string }
  | { readonly kind: 'audio'; readonly src: string; readonly title: string }
  | {
      readonly kind: 'bytes';
      readonly base64: string;
      readonly fileName: string;
      readonly mimeType: string;
      readonly title: string;
    }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly title: string;
      readonly about: string;
    };

export interface ShownBlock {
  readonly block: Block;
  /** For whom, and how important: what the server says of it. */
  readonly note: string;
}

const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const AUDIO = /^audio\/[\w.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/=_-]*$/;

export function blocksOf(result: object): readonly ShownBlock[] {
  if (!isObject(result)) return [];
  const { content, structuredContent } = result;
  if (content !== undefined && !Array.isArray(content))
    return [plain({ kind: 'json', title: 'Result', value: result })];
  const items: readonly unknown[] = content ?? [];
  if (items.length === 0 && structuredContent === undefined && content === undefined) {
    return [plain({ kind: 'json', title: 'Result', value: result })];
  }
  if (structuredContent === undefined) return items.map(shownOf);
  const others = items.filter((item) => !isText(item, structuredContent));
  const note = others.length < items.length ? 'The text content is the same JSON' : '';
  return [...others.map(shownOf), { block: { kind: 'structured', value: structuredContent }, note }];
}

const shownOf = (item: unknown): ShownBlock => ({ block: blockOf(item), note: noteOf(item) });

/** Is this block the text of structured content, which servers send for clients that don't read that? */
function isText(item: unknown, structured: unknown): boolean {
  const text = stringField(item, 'type') === 'text' ? stringField(item, 'text') : undefined;
  if (text === undefined || !/^\s*[[{]/.test(text)) return false;
  try {
    return canonical(JSON.parse(text)) === canonical(structured);
  } catch {
    return false;
  }
}

const plain = (block: Block): ShownBlock => ({ block, note: '' });

function blockOf(item: unknown): Block {
  const type = stringField(item, 'type');
  const text = stringField(item, 'text');
  if (type === 'text' && text !== undefined) return { kind: 'text', text, mimeType: '' };
  const mimeType = stringField(item, 'mimeType') ?? '';
  const data = stringField(item, 'data');
  if ((type === 'image' || type === 'audio') && data !== undefined) {
    const media = mediaOf(data, mimeType, `${type}, ${mimeType}`);
    if (media?.kind === type) return media;
  }
  const resource = objectField(item, 'resource');
  if (type === 'resource' && resource) return resourceOf(resource) ?? unknown(type, item);
  const uri = stringField(item, 'uri');
  if (type === 'resource_link' && uri !== undefined) {
    const size = numberField(item, 'size');
    const about = [
      mimeType,
      size === undefined ? '' : `${size.toLocaleString('en')} B`,
      stringField(item, 'description') ?? '',
    ];
    return {
      kind: 'link',
      uri,
      title: stringField(item, 'title') ?? stringField(item, 'name') ?? uri,
      about: about.filter((part) => part !== '').join(' · '),
    };
  }
  return unknown(type, item);
}

function unknown(type: string | undefined, value: unknown): Block {
  return { kind: 'json', title: `Unsupported content type: ${type ?? 'none'}`, value };
}

function resourceOf(resource: object): Block | undefined {
  const fileName =
    stringField(resource, 'uri')?.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? 'resource';
  const mimeType = stringField(resource, 'mimeType') ?? '';
  const title = [stringField(resource, 'uri') ?? 'Resource', mimeType]
    .filter((part) => part !== '')
    .join(', ');
  const text = stringField(resource, 'text');
  if (text !== undefined) return { kind: 'text', text, mimeType, title };
  const blob = stringField(resource, 'blob');
  if (blob === undefined || !BASE64.test(blob)) return undefined;
  return mediaOf(blob, mimeType, title) ?? { kind: 'bytes', base64: blob, mimeType, title, fileName };
}

function mediaOf(
  data: string,
  mimeType: string,
  title: string,
): (Block & { kind: 'image' | 'audio' }) | undefined {
  if (!BASE64.test(data)) return undefined;
  const kind = IMAGE.test(mimeType) ? 'image' : AUDIO.test(mimeType) ? 'audio' : undefined;
  return kind && { kind, src: `data:${mimeType};base64,${data}`, title };
}

function noteOf(item: unknown): string {
  const annotations = objectField(item, 'annotations');
  const audience: unknown = annotations?.['audience'];
  const priority = numberField(annotations, 'priority');
  const modified = stringField(annotations, 'lastModified');
  return [
    ...(Array.isArray(audience) && audience.length > 0 ? [`for ${audience.map(asText).join(' and ')}`] : []),
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...(modified === undefined ? [] : [`modified ${modified}`]),
  ].join(', ');
}
