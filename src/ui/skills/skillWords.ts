/** The state of a skill and of its files in words. Pure. */
import { bytes, plural } from '../../base/format.ts';
import type { CheckedFile, SkillCheck, SkillEntry, WrongFile } from '../../client/inspector/index.ts';
import type { Checking } from '../../state/skillsView.svelte.ts';

export const WORDS = {
  none: 'This server lists no skills.',
  connect: 'Connect to see skills.',
  checkAll: 'Check all skills',
} as const;

/** Hosts may reject a skill beyond these (SKILL_LIMITS of the SDK). */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 1024 * 1024;

const WRONG: Readonly<Record<WrongFile, string>> = {
  unlisted: 'not listed in the entry',
  size: 'size differs from the entry',
  digest: 'digest differs from the entry',
  frontmatter: 'front matter differs from the entry',
};

export function fileWords(file: CheckedFile): string {
  switch (file.name) {
    case 'verified':
      return `verified, ${bytes(file.sizeBytes)}`;
    case 'dynamic':
      return `not verifiable (dynamic), ${bytes(file.sizeBytes)}`;
    case 'wrong':
      return WRONG[file.failed];
    case 'unreadable':
      return `can’t be read: ${file.why}`;
  }
}

/** Of the front matter, line by line. */
export const differencesOf = (file: CheckedFile): readonly string[] =>
  file.name === 'wrong' ? file.differences.map((line) => line.slice(0, 500)) : [];

export const isFault = ({ name }: CheckedFile): boolean => name === 'wrong' || name === 'unreadable';

/** Beside the name of a skill, once it was checked. */
export function checkBadge(checking: Checking | undefined): {
  readonly badge?: string;
  readonly tone?: 'good' | 'bad';
} {
  if (!checking) return {};
  if (checking.name === 'checking') return { badge: 'checking…' };
  if (checking.name === 'failed') return { badge: 'not checked' };
  if (!isGood(checking.check)) return { badge: 'wrong', tone: 'bad' };
  return isVerified(checking.check) ? { badge: 'verified', tone: 'good' } : { badge: 'not verifiable' };
}

export function verdictWords(check: SkillCheck): string {
  if (!isGood(check)) return 'Hosts must not load this skill.';
  return isVerified(check) ? 'All files match the entry.' : 'All files can be read.';
}

function isGood({ files, problem }: SkillCheck): boolean {
  return problem === undefined && files.every((file) => !isFault(file));
}

/** The files of a dynamic skill have no digests. */
const isVerified = ({ files }: SkillCheck): boolean => files.every(({ name }) => name === 'verified');

/** "3 files, 12 KB" */
export function sizeWords({ resources }: SkillEntry): string {
  if (resources === 'dynamic') return 'dynamic: no digests';
  const total = resources.reduce((sum, { size }) => sum + size, 0);
  return `${plural(resources.length, 'file')}, ${bytes(total)}`;
}

/** What hosts may reject, beside what the check finds. */
export function entryNotes({ resources }: SkillEntry): readonly string[] {
  if (resources === 'dynamic') return ['The skill is dynamic, so hosts can’t verify its files.'];
  const total = resources.reduce((sum, { size }) => sum + size, 0);
  return [
    ...(resources.length > MOST_FILES ? [`The skill has more than ${MOST_FILES} files.`] : []),
    ...(total > MOST_BYTES ? [`The files of the skill have more than ${bytes(MOST_BYTES)}.`] : []),
  ];
}
