/** Where the page of the viewer has its log. No log contains it: a `<` is escaped there. */
export const LOG_PLACE = '<reprise-log>';

/** JSON text as it may stand in a script element: it means the same, and can't end the element. */
export const inMarkup = (json: string): string => json.replaceAll('<', '\\u003c');
