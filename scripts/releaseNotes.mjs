// node scripts/releaseNotes.mjs v0.2.0: prints what the changelog says about a version, for the release on GitHub.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { notesOf } from './lib/changelog.mjs';
import { ROOT } from './lib/paths.mjs';

const tag = process.argv[2] ?? '';
console.log(notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), tag.replace(/^v/, '')));
