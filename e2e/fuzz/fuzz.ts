/** Runs scripts one after the other, and makes each finding as small as it can be. */
import fc from 'fast-check';
import { runScript, type Bench, type Finding } from './fuzzPage.ts';
import { scripts, type Script } from './script.ts';
import { shrink } from './shrink.ts';

export interface Counterexample {
  readonly finding: Finding;
  /** As small as it could be made: ready for `counterexamples.ts`. */
  readonly script: Script;
}

export interface Report {
  readonly scripts: number;
  readonly edits: number;
  readonly fallbacks: readonly string[];
  readonly counterexamples: readonly Counterexample[];
  /** What was seen once and not again, so that nothing can be said of it. */
  readonly notSeenAgain: readonly Finding[];
}

export interface FuzzOptions {
  readonly bench: Bench;
  readonly scripts: Iterable<Script>;
  /** Asked before each script. */
  readonly goesOn: () => boolean;
  readonly say: (text: string) => void;
}

/** The scripts of a seed, without an end. */
export function* scriptsOf(seed: number): Generator<Script> {
  for (let i = 0; ; i += 1) yield* fc.sample(scripts, { seed: seed + i, numRuns: 10 });
}

export async function fuzz({ bench, scripts: all, goesOn, say }: FuzzOptions): Promise<Report> {
  const report = { scripts: 0, edits: 0, fallbacks: [] as string[] };
  const counterexamples: Counterexample[] = [];
  const notSeenAgain: Finding[] = [];
  for (const script of all) {
    if (!goesOn()) break;
    report.scripts += 1;
    report.edits += script.edits.length;
    // What was found is taken out, and the rest is played again: it may hide another finding.
    for (let left = script; left.edits.length > 0;) {
      const { findings, fallbacks } = await runScript(bench, left);
      report.fallbacks.push(...fallbacks);
      const [finding] = findings;
      if (!finding) break;
      say(`${finding.kind} (${finding.step}): ${finding.detail}`);
      const small = await makeSmall(bench, left, finding);
      if (!small) {
        notSeenAgain.push(finding);
        say('Not reproduced with the same script.');
        break;
      }
      counterexamples.push({ finding, script: small });
      say(`counterexample: ${JSON.stringify(small)}`);
      left = { ...left, edits: left.edits.filter((edit) => !small.edits.includes(edit)) };
    }
  }
  return { ...report, counterexamples, notSeenAgain };
}

/** @returns undefined where the whole script doesn't fail again */
async function makeSmall(bench: Bench, script: Script, { kind }: Finding): Promise<Script | undefined> {
  const fails = async (edits: Script['edits']) => {
    const { findings } = await runScript(bench, { ...script, edits });
    return findings.some((finding) => finding.kind === kind);
  };
  if (!(await fails(script.edits))) return undefined;
  return { ...script, edits: await shrink(script.edits, fails) };
}
