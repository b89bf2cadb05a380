/** Terminals and CI logs get the quotes of a keyboard. */
export const plainQuotes = (text: string): string => text.replaceAll(/[“”]/g, '"').replaceAll('’', "'");
