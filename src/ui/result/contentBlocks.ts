/** A tool's result as blocks that are safe to draw: text, images of known types, and JSON for the rest. */
import { isObject, stringField } from '../../base/json.ts';

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly title: string; readonly value: unknown }
  | { readonly kind: 'image'; readonly src: string; readonly title: string };

const IMAGE = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const BASE64 = /^[A-Za-z0-9+/=_-]*$/;

export function blocksOf(result: object): readonly Block[] {
  if (!isObject(result)) return [];
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return [{ kind: 'json', title: 'Result', value: result }];
  return [
    ...content.map(blockOf),
    ...(structuredContent === undefined
      ? []
      : [{ kind: 'json', title: 'Structured content', value: structuredContent } as const]),
  ];
}

function blockOf(item: unknown): Block {
  const type = stringField(item, 'type');
  const text = stringField(item, 'text');
  if (type === 'text' && text !== undefined) return { kind: 'text', text };
  const mimeType = stringField(item, 'mimeType') ?? '';
  const data = stringField(item, 'data');
  if (type === 'image' && data !== undefined && IMAGE.test(mimeType) && BASE64.test(data)) {
    return { kind: 'image', src: `data:${mimeType};base64,${data}`, title: `image, ${mimeType}` };
  }
  return { kind: 'json', title: type ?? 'Unknown content', value: item };
}
