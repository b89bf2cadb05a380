/** Validates a value in the worker; where that takes too long or cannot be done, says so. */
import type { Check } from './checkValue.ts';
import type { RunLimited } from './limitedWorker.ts';

export type LimitedCheck = Check | { readonly name: 'too-slow'; readonly why: string };

export async function checkLimited(run: RunLimited, schema: unknown, value: unknown): Promise<LimitedCheck> {
  const checked = await run('checkValue', { schema, value });
  switch (checked.name) {
    case 'done':
      return checked.value;
    case 'too-slow':
      return { name: 'too-slow', why: tooSlowWords(schema) };
    case 'failed':
      return { name: 'unchecked', why: `It can’t be checked here: ${checked.why}` };
  }
}

/** What a form says of a value that is sent without a check. */
export function whyUnchecked(check: LimitedCheck): string | undefined {
  if (check.name === 'too-slow') return check.why;
  return check.name === 'unchecked' ? `Not checked. ${check.why.replace(/[^.]$/, '$&.')}` : undefined;
}

/** The worker is gone, so what it was at is told from the schema. */
function tooSlowWords(schema: unknown): string {
  const hasPattern = JSON.stringify(schema).includes('"pattern');
  return `Not checked: its ${hasPattern ? 'pattern' : 'schema'} takes too long.`;
}
