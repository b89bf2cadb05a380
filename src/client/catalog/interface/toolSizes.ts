/** What the tool list costs: bytes as they are sent, and tokens as an estimate. Pure. */

export interface ToolSize {
  readonly name: string;
  readonly bytes: number;
  readonly tokens: number;
}

export interface ToolListSize extends Omit<ToolSize, 'name'> {
  /** The largest first. */
  readonly tools: readonly ToolSize[];
}

/** Tokenizers differ: four bytes of English text or JSON are about one token. */
const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();

export function sizeToolList(tools: readonly { readonly name: string }[]): ToolListSize {
  const sizes = tools.map((tool): ToolSize => {
    const bytes = encoder.encode(JSON.stringify(tool)).length;
    return { name: tool.name, bytes, tokens: tokensOf(bytes) };
  });
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  return { bytes, tokens: tokensOf(bytes), tools: sizes.sort((a, b) => b.bytes - a.bytes) };
}

const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
