/** Random edits for what reads messages without a browser: thousands in the time of one page load. */
import fc from 'fast-check';
import { parseBounded } from '../../src/base/boundedJson.ts';
import { editedText, editsOf, type Edit } from './edit.ts';
import { CASES, type Case } from './readerCases.ts';

export interface UnreadMessage {
  readonly reader: string;
  readonly edits: readonly Edit[];
  readonly why: string;
}

/** The longest that reading one message may keep a core busy. */
const LONGEST_MS = 1000;

export function readRandom(seed: number, runsPerReader: number): readonly UnreadMessage[] {
  return CASES.flatMap((one) => readCase(one, seed, runsPerReader));
}

export function readCase(
  [reader, message, read]: Case,
  seed: number,
  runs: number,
): readonly UnreadMessage[] {
  const { counterexample, errorInstance } = fc.check(
    fc.property(editsOf(message), (edits) => {
      const { value } = parseBounded(editedText(message, edits));
      // Time of this process, not of the clock: a busy machine makes nothing slow here.
      const before = process.cpuUsage();
      read(value);
      const { user, system } = process.cpuUsage(before);
      const tookMs = (user + system) / 1000;
      if (tookMs > LONGEST_MS) throw new Error(`It took ${Math.round(tookMs)} ms.`);
    }),
    { seed, numRuns: runs },
  );
  const [edits] = counterexample ?? [];
  const why =
    errorInstance instanceof Error ? (errorInstance.stack ?? '').split('\n').slice(0, 4).join(' ') : '';
  return edits ? [{ reader, edits, why }] : [];
}
