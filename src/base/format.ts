/** Numbers, durations, sizes and errors as text. */
import { asText } from './asText.ts';

let figures: Intl.NumberFormat | undefined;

/** With separators. The formatter is kept: making one for each number costs more than drawing it. */
export function formatNumber(n: number): string {
  figures ??= new Intl.NumberFormat('en');
  return figures.format(n);
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${formatNumber(n)} ${n === 1 ? one : many}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

/** A wait in whole minutes, or in seconds: "10 minutes", "90 seconds". */
export function waitWords(ms: number): string {
  return ms % 60_000 === 0 ? plural(ms / 60_000, 'minute') : plural(Math.round(ms / 1000), 'second');
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} KB`;
  return `${(n / 1_000_000).toFixed(n < 10_000_000 ? 1 : 0)} MB`;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : asText(error);
}
