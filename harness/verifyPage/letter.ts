/** The letter, the verdict and the grade of a page, from what was seen on the wire. Pure. */
import type { Finding } from '../wire/judge.ts';
import type { Letter } from './cases.ts';
import type { PageResult } from './facts.ts';

export interface Seen {
  /** The response reached the page that was open after the interruption. */
  readonly isDelivered: boolean;
  /** The page itself sent the call again. */
  readonly hasRunAgain: boolean;
  /** `initialize` was sent after the interruption. */
  readonly hasNewSession: boolean;
  /** An uncaught error, or requests without end. */
  readonly broken: string | undefined;
}

export function letterOf({ isDelivered, hasRunAgain, hasNewSession, broken }: Seen): Letter {
  if (hasRunAgain) return 'X';
  if (isDelivered) return 'R';
  if (broken !== undefined) return 'F';
  return hasNewSession ? 'N' : 'L';
}

export const LETTER_WORDS: Readonly<Record<Letter, string>> = {
  R: 'gets the response in the new page',
  N: 'starts a new session and drops the call',
  L: 'keeps the session, but never gets the response',
  F: "doesn't connect, has an uncaught error, or loops",
  X: 'sends the call again on its own, so the tool runs twice',
};

export interface Shown {
  /** What `done` said, and `lost`, where it was asked. */
  readonly shows: 'done' | 'lost' | 'nothing';
  readonly hasLost: boolean;
}

/** Why a scenario fails, in words; undefined if it passes. */
export function whyFailed(
  letter: Letter,
  best: readonly Letter[],
  findings: readonly Finding[],
  { shows, hasLost }: Shown,
): string | undefined {
  const [first] = blamed(letter, best, findings);
  if (!best.includes(letter)) {
    const cause = first ? ` ${first.rule}: ${first.received}.` : '';
    return `The page ${LETTER_WORDS[letter]}.${cause}`;
  }
  if (first) return `${first.rule}: ${first.received}`;
  if (letter === 'R' && shows !== 'done') return "The page received the response, but done() didn't resolve.";
  if (letter !== 'R' && hasLost && shows !== 'lost')
    return "The call is lost, and the page doesn't show that: lost() didn't resolve.";
  return undefined;
}

/** Where a server can't bring the response, that it is missing isn't the page's fault. Advice is none either. */
export function blamed(
  letter: Letter,
  best: readonly Letter[],
  findings: readonly Finding[],
): readonly Finding[] {
  return findings.filter(
    ({ rule, level }) =>
      level !== 'advice' &&
      (rule !== 'response-delivered' || best.includes('R')) &&
      (rule !== 'one-session' || !best.includes('N')),
  );
}

export type PageGrade =
  | 'reload-safe'
  | 'resumes, with issues'
  | 'loses calls'
  | 'breaks'
  | 'runs calls twice'
  | 'not tested';

export const PAGE_GRADES: readonly PageGrade[] = [
  'reload-safe',
  'resumes, with issues',
  'loses calls',
  'breaks',
  'runs calls twice',
  'not tested',
];

export function gradeOfPage(results: readonly PageResult[]): PageGrade {
  const judged = results.filter(({ letter }) => letter !== undefined);
  const has = (...letters: Letter[]): boolean =>
    judged.some(
      ({ letter, best }) => letter !== undefined && letters.includes(letter) && !best.includes(letter),
    );
  if (judged.length === 0) return 'not tested';
  if (judged.some(({ letter }) => letter === 'X')) return 'runs calls twice';
  if (has('F')) return 'breaks';
  if (judged.some(({ letter, best }) => best.includes('R') && (letter === 'N' || letter === 'L')))
    return 'loses calls';
  return judged.every(({ verdict }) => verdict === 'pass') ? 'reload-safe' : 'resumes, with issues';
}

/** The letter that goes with the grade: the worst one where the response could have come. */
export function letterOfPage(results: readonly PageResult[]): Letter | undefined {
  const letters = results.filter(({ best }) => best.includes('R')).flatMap(({ letter }) => letter ?? []);
  if (results.some(({ letter }) => letter === 'X')) return 'X';
  return (['F', 'N', 'L', 'R'] as const).find((letter) => letters.includes(letter));
}
