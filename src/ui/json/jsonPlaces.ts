/** Where in a JSON text a place of its value is, and the other way round, by the editor's syntax tree. */
import type { SyntaxNode, Tree } from '@lezer/common';
import { unescapePointer } from '../form/schema.ts';

type Read = (from: number, to: number) => string;

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** The keys and indices that lead to a node. */
export function pathTo(node: SyntaxNode, read: Read): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === 'Property') {
      const name = at.getChild('PropertyName');
      if (name) path.unshift(keyOf(name, read));
    } else if (at.parent?.name === 'Array' && VALUES.has(at.name)) {
      path.unshift(valuesOf(at.parent).findIndex(({ from }) => from === at.from));
    }
  }
  return path;
}

/** The node of the value that a JSON Pointer leads to, or of the nearest one around it. */
export function nodeAt(tree: Tree, pointer: string, read: Read): SyntaxNode {
  let at = tree.topNode.firstChild ?? tree.topNode;
  for (const part of pointer.split('/').slice(1).map(unescapePointer)) {
    const next = at.name === 'Array' ? valuesOf(at)[Number(part)] : memberOf(at, part, read);
    if (!next) return at;
    at = next;
  }
  return at;
}

export function keyOf(name: SyntaxNode, read: Read): string {
  const text = read(name.from, name.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replaceAll('"', '');
  }
}

function valuesOf(node: SyntaxNode): readonly SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (VALUES.has(child.name)) values.push(child);
  }
  return values;
}

function memberOf(node: SyntaxNode, name: string, read: Read): SyntaxNode | undefined {
  for (const property of node.getChildren('Property')) {
    const key = property.getChild('PropertyName');
    if (key && keyOf(key, read) === name) return valuesOf(property)[0] ?? property;
  }
  return undefined;
}
