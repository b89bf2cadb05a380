/** What stops a run, in words for the person who started it; `kind` decides the exit code. */
export type HarnessErrorKind =
  /** An option that makes no sense. */
  | 'usage'
  /** Nobody answers, or nobody who speaks MCP, or only to those with a token. */
  | 'unreachable'
  /** No browser, no app. */
  | 'unusable'
  /** Ctrl-C. */
  | 'interrupted';

export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';
  readonly kind: HarnessErrorKind;

  constructor(kind: HarnessErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export const EXIT_CODES: Readonly<Record<HarnessErrorKind, number>> = {
  usage: 2,
  unreachable: 3,
  unusable: 5,
  interrupted: 130,
};
