/** Lint rule: the rule against coercions looks at calls of `String`, and `list.map(String)` has none. */

/** @type {import('eslint').Rule.RuleModule} */
export const noStringAsFunction = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { stringAsFunction: 'String throws for some objects. Use asText.' },
  },
  create(context) {
    return {
      'CallExpression[callee.property.name="map"] > Identifier.arguments[name="String"]': (
        /** @type {any} */ node,
      ) => context.report({ node, messageId: 'stringAsFunction' }),
    };
  },
};
