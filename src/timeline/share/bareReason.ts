/** A reason without content: codes, numbers and words of this page stay, texts of others are left out. */
import type { Reason } from '../../log/reasons/reason.ts';
import { WORDS } from '../../log/reasons/reasonWords.ts';

export function bareReason(reason: Reason): Reason {
  // The texts of others are optional in every reason.
  return bareFacts(reason) as Reason;
}

/** Of a reason, or of a part of it. */
export function bareFacts(facts: object): object {
  const members = Object.entries(facts).flatMap(([name, fact]: [string, unknown]) => {
    const kept = WORDS.has(name) ? fact : bareFact(fact);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(members);
}

function bareFact(fact: unknown): unknown {
  if (typeof fact === 'number' || typeof fact === 'boolean') return fact;
  if (Array.isArray(fact)) {
    const items = fact.map(bareFact).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof fact !== 'object' || fact === null) return undefined;
  const kept = bareFacts(fact);
  return Object.keys(kept).length > 0 ? kept : undefined;
}
