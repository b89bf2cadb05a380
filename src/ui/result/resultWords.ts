/** The sentences of results. */

export const WORDS = {
  noContent: 'Done. The tool returned no content.',
  noStructured: 'The tool has an output schema but returned no structured content.',
} as const;
