/** Compares what a server offers with a snapshot of it, and says how the two differ. Pure. */
import { changeLines, sumOfChanges } from '../../src/client/catalog/interface/changeWords.ts';
import { diffInterfaces } from '../../src/client/catalog/interface/diff.ts';
import type { InterfaceSnapshot } from '../../src/client/catalog/interface/snapshot.ts';
import { rankOf } from '../judge/causes.ts';
import type { Finding } from '../context.ts';
import { plainQuotes } from './plainQuotes.ts';

/** More lines than these are counted: the file of the snapshot has them all. */
const MOST_LINES = 40;

export function judgeInterface(expected: InterfaceSnapshot, found: InterfaceSnapshot, path: string): Finding {
  const changes = diffInterfaces(expected, found);
  if (changes.length === 0) {
    return { verdict: 'pass', why: `The interface matches ${path}.` };
  }
  return {
    verdict: 'fail',
    why: [
      `Since ${path}: ${sumOfChanges(changes)}.`,
      ...changeLines(changes, MOST_LINES).map(plainQuotes),
    ].join('\n      '),
    cause: 'interface-changed',
    level: rankOf('interface-changed').level,
    fix: 'Change the server, or accept the new interface with --update-snapshot.',
  };
}

export function missingSnapshot(path: string): Finding {
  return {
    verdict: 'fail',
    why: `No snapshot at ${path}, and snapshots aren't written in CI.`,
    cause: 'interface-changed',
    level: rankOf('interface-changed').level,
    fix: 'Run once with --update-snapshot, and commit the file.',
  };
}
