/** The words for what views do. */
import { isObject, objectField, stringField } from '../../base/json.ts';
import { visible } from '../../base/visible.ts';
import type { AppFinding } from '../../log/entry/entry.ts';
import type { Sentence } from '../parts/sentence.ts';

export const WORDS = {
  toModel: 'Messages to the model',
  otherCall: 'another call is shown',
  byUser: 'closed by the user',
  ownOrigin: 'Views have an origin of their own, with their own storage',
  opaque:
    'MCP Apps asks for another origin with allow-same-origin. This host has none, so the view has no storage.',
  opaqueFrame: 'Opaque frame (no storage)',
  declared: (domains: string) => `Declared in _meta.ui.csp: ${domains}`,
  kept: 'The document of the first opening, from storage',
  pip: 'Picture in picture',
  openLink: 'Open a link?',
  callAgain: 'Call again?',
  wantsToOpen: (url: string): Sentence => ['The app wants to open ', { code: url }],
  wantsToCall: (tool: string): Sentence => [
    'The app was opened again and calls ',
    { code: tool },
    ' again with the same arguments. The tool isn’t marked as safe to repeat.',
  ],
} as const;

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
