/** What stands in the place of a secret in the log, in exports and on the screen. */
export const HIDDEN = '‹redacted›';

/** Was a secret hidden anywhere in this value? Then it must not be sent: the secret itself isn't there. */
export function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(HIDDEN);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsHidden);
}
