/**
 * Members of a reason that hold words of this page: they stay where content is left out, and no secret is looked for in
 * them.
 */
export const WORDS: ReadonlySet<string> = new Set(['code', 'oldCode', 'how', 'era', 'so', 'list', 'sse']);
