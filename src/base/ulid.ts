/** An ID that is unique, and sorts by its time: 48 bits of milliseconds and 80 random ones, in the base 32 of Crockford (ULID). */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

export function ulid(now = Date.now()): string {
  const time = Array.from({ length: TIME_DIGITS }, (_, i) => now / 32 ** (TIME_DIGITS - 1 - i));
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS));
  return [...time, ...random].map((value) => DIGITS[Math.floor(value) % 32]).join('');
}
