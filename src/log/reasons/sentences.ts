/** For each code of a reason: its sentence, or what makes one of the facts. */
import type { ReasonCode, ReasonOf } from './reason.ts';

export type Sentences = {
  readonly [C in ReasonCode]: string | ((reason: ReasonOf<C>) => string);
};
