/** A sentence with values that stand out. The values may come from a server, so they are parts, never markup inside a string. */
export type Sentence = readonly (string | { readonly code: string } | { readonly strong: string })[];
