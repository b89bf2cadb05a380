/** Roots as they are typed: one a line, an address and a name if it has one. */
import { err, ok, type Result } from '../../base/result.ts';
import type { Root } from '../../client/inspector/index.ts';

/** MCP 2025-11-25, "Roots": a root MUST be a file:// URI. */
export function readRoot(uri: string, name: string): Result<Root, string> {
  const text = uri.trim();
  if (text === '') return err('Enter a URI, for example file:///home/me/project');
  const withScheme = text.startsWith('/') ? `file://${text}` : text;
  const url = URL.parse(withScheme);
  if (url?.protocol !== 'file:')
    return err('Roots must be file:// URIs, for example file:///home/me/project');
  const title = name.trim();
  return ok({ uri: url.href, ...(title !== '' && { name: title }) });
}
