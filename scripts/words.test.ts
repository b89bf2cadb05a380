// Users read plain words: no string that they see has a word of bannedWords.txt.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './lib/paths.mjs';
import { visibleStrings } from './words/visibleStrings.ts';

/** Folders and files whose strings are plain. */
const PLAIN = [
  'src',
  'harness',
  'bridge',
  'targets',
  'scripts',
  'e2e/tables',
  'e2e/bench',
  'examples',
  'docs',
  'README.md',
  'index.html',
];

/** Strings that have to have such a word. */
const EXCEPTIONS: readonly { readonly file: string; readonly text: string; readonly why: string }[] = [];

/** CHECKED.md quotes the sentences that were checked, as they were printed. */
const NOT_READ = /\.(test|spec|explore)\.ts$|\.d\.ts$|\/(specs|testing|fixtures)\/|\/CHECKED\.md$/;

const RULES = readFileSync(join(ROOT, 'scripts/words/bannedWords.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [pattern = '', instead = ''] = line.split('\t');
    return { pattern: new RegExp(pattern, 'u'), instead };
  });

function bannedIn(file: string, source: string): string[] {
  return visibleStrings(file, source).flatMap(({ line, text }) => {
    if (EXCEPTIONS.some((exception) => exception.file === file && text.includes(exception.text))) return [];
    const rule = RULES.find(({ pattern }) => pattern.test(text));
    if (rule === undefined) return [];
    return `${file}:${line}  “${rule.pattern.exec(text)?.[0]}” in “${text.trim().slice(0, 100)}”: use ${rule.instead}`;
  });
}

/** A label is one or two words. Longer strings, and those that end like a sentence, belong to the words of their feature. */
function sentencesIn(file: string, source: string): string[] {
  return visibleStrings(file, source).flatMap(({ line, text }) => {
    const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
    const isSentence = words > 2 || (words === 2 && /[.?!]$/.test(text));
    return isSentence ? `${file}:${line}  “${text.trim().slice(0, 100)}”` : [];
  });
}

const filesOf = (places: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...places], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => existsSync(join(ROOT, file)));

test('no string that users see has a banned word', () => {
  const files = filesOf(PLAIN).filter(
    (file) => /\.(ts|mjs|svelte|html|md)$/.test(file) && !NOT_READ.test(file),
  );
  expect(files).not.toEqual([]);
  expect(files.flatMap((file) => bannedIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test('no component has a sentence: each feature has its words in one place', () => {
  const files = filesOf(['src']).filter((file) => file.endsWith('.svelte'));
  expect(files).not.toEqual([]);
  expect(files.flatMap((file) => sentencesIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test('a sentence is found in the text, the attributes and the script of a component', () => {
  expect(
    sentencesIn(
      'A.svelte',
      '<script>\nconst why = \'Not found.\';\n</script>\n<p title="Reload the page">Show {n} more</p>\n<b>Call a tool</b>',
    ).map((hit) => hit.split('  ')[0]),
  ).toEqual(['A.svelte:2', 'A.svelte:4', 'A.svelte:5']);
  expect(
    sentencesIn('A.svelte', '<button title="Copy {what}" class="one two three">Call again</button>'),
  ).toEqual([]);
});

test('a banned word is found with its line in each kind of file', () => {
  expect(bannedIn('a.ts', "// Nobody\nconst a = /Nobody is/;\nconst b = 'Nobody is here';")).toEqual([
    'a.ts:3  “Nobody” in “Nobody is here”: use “you”, “the user”, or name the actor',
  ]);
  expect(bannedIn('a.ts', 'const a = `${f(`x`)}\n is forgotten`;')[0]).toMatch(/^a\.ts:1 .*“is forgotten”/);
  expect(
    bannedIn('A.svelte', "<script>\nconst a = 'Nobody is';\n</script>\n\n<p\n>Nobody\n is {b}</p>").map(
      (hit) => hit.split(' ')[0],
    ),
  ).toEqual(['A.svelte:2', 'A.svelte:6']);
  expect(
    bannedIn('A.svelte', '<a title="Load {n} was refused" href="?">{x ? \'Not now\' : y}</a>'),
  ).toHaveLength(2);
  expect(bannedIn('a.md', 'Text.\n\nNobody reads it.')[0]).toMatch(/^a\.md:3 /);
});

test('names, comments, types of elements and styles are not read', () => {
  expect(bannedIn('a.ts', "/* Nobody is here */ const nobody = 'meanwhile';")).toHaveLength(0);
  expect(
    bannedIn('A.svelte', '<!-- Nobody is here --><p class="the stage"></p><style>/* the stage */</style>'),
  ).toEqual([]);
});
