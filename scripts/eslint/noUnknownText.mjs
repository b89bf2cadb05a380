/** ESLint rule: what a template draws as text is a primitive. Svelte coerces the rest, and `{"toString":null}` throws. */
import ts from 'typescript';

const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Void |
  ts.TypeFlags.Never;

/** @param {ts.Type} type @returns {boolean} */
function isPrimitive(type) {
  if (type.isUnion()) return type.types.every(isPrimitive);
  if (type.isIntersection()) return type.types.some(isPrimitive);
  return (type.flags & PRIMITIVE) !== 0;
}

/** Attributes of elements that take more than text: listeners, and classes by list or object. @param {string} name */
const takesObjects = (name) => name.startsWith('on') || name === 'class';

/** @param {any} tag @returns {boolean} */
function isDrawnAsText({ kind, parent }) {
  if (kind !== 'text') return false;
  if (parent.type !== 'SvelteAttribute') return true;
  const isAlone = parent.value.length === 1;
  return parent.parent.parent.kind === 'html' && !(isAlone && takesObjects(parent.key.name));
}

/** @type {import('eslint').Rule.RuleModule} */
export const noUnknownText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { unknownText: 'This value may be an object. Turn it into text with asText() first.' },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    if (!program) return {};
    const checker = program.getTypeChecker();
    /** @param {any} node @param {any} expression */
    const check = (node, expression) => {
      const typed = esTreeNodeToTSNodeMap.get(expression);
      if (typed && !isPrimitive(checker.getTypeAtLocation(typed))) {
        context.report({ node, messageId: 'unknownText' });
      }
    };
    return {
      /** @param {any} node */
      SvelteMustacheTag(node) {
        if (isDrawnAsText(node)) check(node, node.expression);
      },
      /** @param {any} node */
      SvelteShorthandAttribute(node) {
        if (node.parent.parent.kind === 'html' && !takesObjects(node.key.name)) check(node, node.value);
      },
    };
  },
};
