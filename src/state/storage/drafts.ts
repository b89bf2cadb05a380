/** What was half typed survives a reload, for this tab. Secrets are never kept. */
import { isObject, objectField, stringField } from '../../base/json.ts';
import type { KeptText } from './keptText.ts';

export interface KeptDraft {
  readonly mode: 'form' | 'json';
  readonly values: Readonly<Record<string, string>>;
  readonly json: string;
}

/** The browser gives a tab a few megabytes for all of them. */
const MAX_CHARS = 200_000;

export type DraftKind = 'tool' | 'prompt' | 'template' | 'root' | 'question';

/** Of one server, whatever its name is made of. */
export function draftKey(server: string, kind: DraftKind, name: string): string {
  return `${encodeURIComponent(server)}/${kind}/${name}`;
}

export class Drafts {
  readonly #kept: KeptText;

  constructor(kept: KeptText) {
    this.#kept = kept;
  }

  read(key: string): KeptDraft | undefined {
    const text = this.#kept.read(`reprise.draft/${key}`);
    return text === undefined ? undefined : parseDraft(text);
  }

  write(key: string, draft: KeptDraft | undefined): void {
    const text = draft && JSON.stringify(draft);
    this.#kept.write(
      `reprise.draft/${key}`,
      text !== undefined && text.length > MAX_CHARS ? undefined : text,
    );
  }
}

function parseDraft(text: string): KeptDraft | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const mode = stringField(value, 'mode');
    const values = objectField(value, 'values');
    if (!isObject(value) || !values || (mode !== 'form' && mode !== 'json')) return undefined;
    const texts = Object.entries(values).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    );
    return { mode, values: Object.fromEntries(texts), json: stringField(value, 'json') ?? '' };
  } catch {
    return undefined;
  }
}
