/** Completion in an editor of JSON: the names and values that a schema knows for the place of the cursor. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { SyntaxNode } from '@lezer/common';
import { keyOf, pathTo } from './jsonPlaces.ts';
import { namesAt, valuesAt } from './schemaAt.ts';

/** How long somebody who types may be kept waiting. */
const PARSE_MS = 100;

export function completeJson(schema: unknown) {
  return (context: CompletionContext): CompletionResult | null => {
    const read = (from: number, to: number) => context.state.sliceDoc(from, to);
    const { pos } = context;
    // What was just typed may not be parsed yet.
    const tree = ensureSyntaxTree(context.state, pos, PARSE_MS) ?? syntaxTree(context.state);
    const node = tree.resolveInner(pos, -1);
    const text = context.matchBefore(/[\w"$.-]*/) ?? { from: pos, text: '' };
    const place = placeOf(node, text.from, read);
    if (!place) return null;
    if (text.text === '' && !context.explicit && !/[[{:,]\s*$/.test(read(Math.max(0, pos - 40), pos)))
      return null;
    if (place.kind === 'value') {
      const options = valuesAt(schema, place.path).map(({ json, detail }): Completion => ({
        label: json,
        type: 'enum',
        ...(detail !== undefined && { detail }),
      }));
      return options.length === 0 ? null : { from: text.from, options };
    }
    const there = new Set(
      place.object.getChildren('Property').flatMap((property) => {
        const name = property.getChild('PropertyName');
        return name && !(name.from <= pos && pos <= name.to) ? [keyOf(name, read)] : [];
      }),
    );
    const isNamed = /^"?\s*:/.test(read(pos, Math.min(context.state.doc.length, pos + 20)));
    const options = namesAt(schema, place.path)
      .filter(({ name }) => !there.has(name))
      .map(({ name, type, required, description, stub }): Completion => {
        const label = JSON.stringify(name);
        return {
          label,
          type: 'property',
          detail: required ? `${type}, required` : type,
          boost: required ? 1 : 0,
          apply: isNamed ? label : `${label}: ${stub}`,
          ...(description !== undefined && { info: description.slice(0, 500) }),
        };
      });
    return options.length === 0 ? null : { from: text.from, options };
  };
}

type Place =
  | { readonly kind: 'name'; readonly object: SyntaxNode; readonly path: readonly (string | number)[] }
  | { readonly kind: 'value'; readonly path: readonly (string | number)[] };

function placeOf(
  node: SyntaxNode,
  from: number,
  read: (from: number, to: number) => string,
): Place | undefined {
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === 'PropertyName' && at.parent?.parent) {
      const object = at.parent.parent;
      return { kind: 'name', object, path: pathTo(object, read) };
    }
    if (at.name === 'Property') {
      const name = at.getChild('PropertyName');
      const isAfterColon = name !== null && /^\s*:/.test(read(name.to, Math.max(name.to, from)));
      if (isAfterColon) return { kind: 'value', path: pathTo(at, read) };
    }
    if (at.name === 'Object') {
      // Behind a colon without a value yet, the tree has no property to be in.
      return { kind: 'name', object: at, path: pathTo(at, read) };
    }
    if (at.name === 'Array') {
      const index = (read(at.from, from).match(/,/g) ?? []).length;
      return { kind: 'value', path: [...pathTo(at, read), index] };
    }
  }
  return undefined;
}
