/** Why something is as it is: a code, and the facts that its sentence is made from in `reasonText.ts`. */
import type { Consequence, Facts, REASONS } from './reasonFacts.ts';

type Table = typeof REASONS;

export type ReasonCode = keyof Table;

type Names<C extends ReasonCode, K extends string> =
  Table[C] extends Readonly<Record<K, readonly (infer Name)[]>> ? Name : never;

/** A reason with this code. */
export type ReasonOf<C extends ReasonCode> = { readonly code: C } & Pick<
  Facts,
  Names<C, 'needs'> & keyof Facts
> &
  Partial<Pick<Facts, Names<C, 'may'> & keyof Facts>> &
  ([Names<C, 'how'>] extends [never] ? unknown : { readonly how: Names<C, 'how'> }) & {
    /** What follows from it: a second sentence. */
    readonly so?: Consequence;
  };

export type Reason = { readonly [C in ReasonCode]: ReasonOf<C> }[ReasonCode];

/** For filters and scripts. What an earlier version has stored keeps the code that it had. */
export function codeOf(reason: Reason): string | undefined {
  return reason.code === 'recorded' ? reason.oldCode : reason.code;
}

/** The sentence of an earlier version, which had no facts beside it. */
export function recorded(text: string | undefined, oldCode?: string, fix?: string): ReasonOf<'recorded'> {
  return {
    code: 'recorded',
    ...(text !== undefined && { text }),
    ...(oldCode !== undefined && { oldCode }),
    ...(fix !== undefined && { fix }),
  };
}
