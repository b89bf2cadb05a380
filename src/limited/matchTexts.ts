/** Texts against patterns that the user typed. */

export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** The text must not match. */
  readonly not: boolean;
}

export interface MatchTexts {
  readonly patterns: readonly Pattern[];
  readonly texts: readonly string[];
}

/** For each text: do all of the patterns hold? */
export function matchTexts({ patterns, texts }: MatchTexts): readonly boolean[] {
  const tests = patterns.map(({ source, flags, not }) => ({
    // With these flags, each test would begin where the one before it ended.
    regex: new RegExp(source, flags.replace(/[gy]/g, '')),
    not,
  }));
  return texts.map((text) => tests.every(({ regex, not }) => regex.test(text) !== not));
}
