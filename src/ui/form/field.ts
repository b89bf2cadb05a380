/** The fields of a form, as they are drawn. What they contain is read when it is asked for. */
import type { Choice } from './choices.ts';

export interface Common {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly required: boolean;
  readonly nullable: boolean;
  /** Its members stand beside those of the object that it is in. */
  readonly isSpread?: true;
}

export type LeafKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'set' | 'json';

export interface Leaf extends Common {
  readonly kind: LeafKind;
  /** As it is typed. Empty: not set. */
  readonly initial: string;
  readonly choices: readonly Choice[];
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly isSecret: boolean;
}

export interface ObjectField extends Common {
  readonly kind: 'object';
  readonly isSetInitially: boolean;
  readonly fields: () => readonly Field[];
}

export interface ListField extends Common {
  readonly kind: 'list';
  readonly initialCount: number;
  readonly minItems: number;
  readonly maxItems: number;
  readonly item: (index: number) => Field;
}

export interface MapField extends Common {
  readonly kind: 'map';
  readonly initialKeys: readonly string[];
  readonly value: (index: number) => Field;
}

export interface VariantField extends Common {
  readonly kind: 'variants';
  readonly initialVariant: number | undefined;
  readonly variants: readonly Variant[];
}

export interface Variant {
  readonly label: string;
  readonly field: () => Field;
  /** Does this value look as if it were meant by this alternative? */
  readonly fits: (value: unknown) => boolean;
}

export type Field = Leaf | ObjectField | ListField | MapField | VariantField;
