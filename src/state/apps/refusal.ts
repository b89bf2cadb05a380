/** SEP-1865: implementation-defined. */
export const REFUSED = -32000;

/** What a view gets as the error of its request. */
export const refusal = (message: string): Error => Object.assign(new Error(message), { code: REFUSED });
