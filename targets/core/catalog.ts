/** Resources and prompts as data, served alike in every revision. */
import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { DIAGRAMS } from './diagrams.ts';
import { PAPER_PDF, SIGN_PNG, SOME_BYTES } from './media.ts';
import { acceptedForm, formRequest, type ToolContext } from './toolContext.ts';

type Content = { readonly text: string } | { readonly blob: string };

export interface CatalogResource {
  readonly name: string;
  readonly uri: string;
  readonly title?: string;
  readonly mimeType: string;
  /** `_meta` of the content. */
  readonly contentMeta?: Readonly<Record<string, unknown>>;
  /** Text, or base64 of bytes. */
  readonly read: (context: Pick<ToolContext, 'ask'>) => Content | Promise<Content>;
}

export interface CatalogTemplate {
  readonly name: string;
  /** With one variable. */
  readonly uriTemplate: string;
  readonly variable: string;
  readonly title?: string;
  readonly mimeType: string;
  readonly complete?: (value: string) => string[];
  readonly read: (value: string) => { readonly text: string };
}

export interface CatalogPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly args: Readonly<
    Record<string, { readonly description?: string; readonly complete: (value: string) => string[] }>
  >;
  readonly messages: (
    args: Readonly<Record<string, string>>,
    context: Pick<ToolContext, 'ask'>,
  ) => GetPromptResult['messages'] | Promise<GetPromptResult['messages']>;
}

export interface Catalog {
  readonly resources: readonly CatalogResource[];
  readonly templates: readonly CatalogTemplate[];
  readonly prompts: readonly CatalogPrompt[];
}

/** A resource as the answer to `resources/read`. */
export function contentsOf(
  uri: string,
  mimeType: string,
  content: Content,
  contentMeta?: CatalogResource['contentMeta'],
): ReadResourceResult {
  return { contents: [{ uri, mimeType, ...content, ...(contentMeta && { _meta: { ...contentMeta } }) }] };
}

export const userText = (text: string): GetPromptResult['messages'][number] => ({
  role: 'user',
  content: { type: 'text', text },
});

const STREAMS = ['request', 'standalone', 'resumed'];
const CITIES = ['Amsterdam', 'Athens', 'Berlin', 'Bern', 'Lisbon', 'London'];

const startingWith = (words: readonly string[]) => (value: string) =>
  words.filter((word) => word.toLowerCase().startsWith(value.toLowerCase()));

const file = (name: string, title: string, mimeType: string, blob: string): CatalogResource => ({
  name,
  uri: `reprise://files/${name}`,
  title,
  mimeType,
  read: () => ({ blob }),
});

/** Asks for a word, and where the client works, before it can be read. */
export const guardedResource: CatalogResource = {
  name: 'guarded',
  uri: 'reprise://guarded',
  title: 'Readable after an answer',
  mimeType: 'application/json',
  read: async ({ ask }) => {
    const { word, roots } = await ask({
      word: formRequest('What is the password?', {
        type: 'object',
        properties: { word: { type: 'string' } },
        required: ['word'],
      }),
      roots: { method: 'roots/list' },
    });
    return { text: JSON.stringify({ word: acceptedForm(word)?.['word'], roots: roots['roots'] }) };
  },
};

/** What every target has. */
export const targetCatalog = (profile: string): Catalog => ({
  resources: [
    {
      name: 'about',
      uri: 'reprise://about',
      title: 'About this target',
      mimeType: 'text/markdown',
      read: () => ({ text: `# ${profile}\n\nA Reprise target server.` }),
    },
    {
      name: 'cities',
      uri: 'reprise://cities',
      title: 'Cities',
      mimeType: 'application/json',
      read: () => ({ text: JSON.stringify(CITIES) }),
    },
    {
      name: 'diagrams',
      uri: 'demo://diagrams',
      title: 'Sequence diagrams',
      mimeType: 'text/markdown',
      read: () => ({ text: DIAGRAMS }),
    },
    file('sign', 'A picture', 'image/png', SIGN_PNG),
    file('paper', 'PDF page', 'application/pdf', PAPER_PDF),
    file('bytes', 'All 256 byte values', 'application/octet-stream', SOME_BYTES),
  ],
  templates: [
    {
      name: 'stream',
      uriTemplate: 'reprise://streams/{kind}',
      variable: 'kind',
      title: 'Stream type',
      mimeType: 'text/plain',
      complete: startingWith(STREAMS),
      read: (kind) => ({ text: `This is about the ${kind} stream.` }),
    },
  ],
  prompts: [
    {
      name: 'greet',
      title: 'Greet a city',
      description: 'A greeting. The city argument supports completion.',
      args: { city: { complete: startingWith(CITIES) } },
      messages: ({ city }) => [userText(`Greet the people of ${city ?? ''}.`)],
    },
    {
      name: 'explain',
      title: 'Explain a stream',
      description: 'Explains a stream type. The argument supports completion.',
      args: { kind: { complete: startingWith(STREAMS) } },
      messages: ({ kind }) => [userText(`Explain the ${kind ?? ''} stream of MCP.`)],
    },
  ],
});
