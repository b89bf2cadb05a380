import { describe, expect, it } from 'vitest';
import type { CheckedFile, SkillEntry } from '../../client/catalog/skills/skillTypes.ts';
import { checkBadge, entryNotes, fileWords, sizeWords } from './skillWords.ts';

const uri = 'skill://refunds/SKILL.md';
const wrong = (failed: 'unlisted' | 'size' | 'digest' | 'frontmatter'): CheckedFile => ({
  uri,
  name: 'wrong',
  failed,
  why: '',
  differences: [],
});

describe('a file of a skill', () => {
  it.each<[CheckedFile, string]>([
    [{ uri, name: 'verified', sizeBytes: 12 }, 'verified, 12 B'],
    [{ uri, name: 'dynamic', sizeBytes: 12 }, 'not verifiable (dynamic), 12 B'],
    [wrong('size'), 'size differs from the entry'],
    [wrong('digest'), 'digest differs from the entry'],
    [wrong('frontmatter'), 'front matter differs from the entry'],
    [wrong('unlisted'), 'not listed in the entry'],
    [{ uri, name: 'unreadable', why: 'No such resource.' }, 'can’t be read: No such resource.'],
  ])('%o is %s', (file, words) => expect(fileWords(file)).toBe(words));
});

describe('a skill', () => {
  const skill = (resources: SkillEntry['resources']): SkillEntry => ({
    uri,
    frontmatter: { name: 'refunds', description: 'd' },
    resources,
  });
  const files = (number: number, size: number) =>
    skill(Array.from({ length: number }, (_, i) => ({ uri: `${uri}${i}`, digest: '', size })));

  it('has a size', () => {
    expect(sizeWords(files(2, 600))).toBe('2 files, 1.2 KB');
    expect(sizeWords(skill('dynamic'))).toBe('dynamic: no digests');
  });

  it('may be too large for a host', () => {
    expect(entryNotes(files(2, 600))).toEqual([]);
    expect(entryNotes(files(513, 1))).toEqual(['The skill has more than 512 files.']);
    expect(entryNotes(files(2, 9_000_000))).toEqual(['The files of the skill have more than 17 MB.']);
  });

  it('is wrong if one of its files is, or its entry', () => {
    const good: CheckedFile = { uri, name: 'verified', sizeBytes: 1 };
    const badgeOf = (...files: CheckedFile[]) => checkBadge({ name: 'checked', check: { files } });
    expect(checkBadge(undefined)).toEqual({});
    expect(badgeOf(good)).toEqual({ badge: 'verified', tone: 'good' });
    expect(badgeOf(good, wrong('digest'))).toEqual({ badge: 'wrong', tone: 'bad' });
    expect(checkBadge({ name: 'checked', check: { files: [good], problem: 'x' } })).toEqual({
      badge: 'wrong',
      tone: 'bad',
    });
    expect(badgeOf({ uri, name: 'dynamic', sizeBytes: 1 })).toEqual({ badge: 'not verifiable' });
  });
});
