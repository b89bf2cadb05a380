/** The words for what views do. */
import { isObject, objectField, stringField } from '../../base/json.ts';
import { visible } from '../../base/visible.ts';
import type { AppFinding } from '../../log/entry/entry.ts';

const FINDINGS: Readonly<Record<AppFinding, string>> = {
  csp: 'Blocked by its Content-Security-Policy:',
  storage: 'Storage isn’t available to the view:',
  popup: 'Window blocked:',
  'too-many-messages': 'Messages dropped:',
  'message-too-big': 'Message dropped:',
  'not-initialized': 'Not initialized:',
  'tool-refused': 'Tool call rejected:',
  'called-again': 'Tool called again after the app was reopened:',
  'document-changed': 'Another document:',
};

export const findingText = (finding: AppFinding): string => FINDINGS[finding];

/** The text of a `ui/message` or a model context. What isn't text is shown as JSON. */
export function contentText(message: string): string {
  const params = objectField(parsed(message), 'params');
  const content: unknown = params?.['content'];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block) => stringField(block, 'text') ?? []);
  const structured = params?.['structuredContent'];
  const parts = [...texts, ...(isObject(structured) ? [JSON.stringify(structured)] : [])];
  return visible(parts.length > 0 ? parts.join('\n') : message);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
