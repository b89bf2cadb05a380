/** The comparison as a table, and its place in the docs. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { sumUp, type Found, type Timing } from './found.ts';
import { LIMIT_MS, ROWS } from './steps.ts';

const PAGE = fileURLToPath(new URL('../../docs/comparison.md', import.meta.url));
const [BEGIN, END] = ['<!-- measured by npm run bench:peers -->', '<!-- end -->'];

/** A shorter pause is no freeze. */
const NOTICED_MS = 100;

export function drawTable(found: readonly Found[]): string {
  const peers = [...new Set(found.map(({ peer }) => peer))].sort(reprise1st);
  const versions = peers.map((peer) => found.find((one) => one.peer === peer)?.version ?? '');
  const steps = Object.values<string>(ROWS);
  const timingsOf = (what: string, peer: string) =>
    found.filter((one) => one.what === what && one.peer === peer).map(({ timing }) => timing);
  const lines = [
    ['', ...peers.map((peer, i) => `${peer} ${versions[i] ?? ''}`.trim())],
    peers.map(() => '---').concat('---'),
    ...steps.map((what) => [what, ...peers.map((peer) => cell(timingsOf(what, peer)))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const reprise1st = (a: string, b: string): number =>
  Number(b === 'Reprise') - Number(a === 'Reprise') || a.localeCompare(b, 'en');

function cell(timings: readonly Timing[]): string {
  const sum = sumUp(timings);
  if (sum === undefined) return 'not measured';
  if (sum === 'over') return `over ${LIMIT_MS / 1000} s`;
  if (sum === 'disconnected') return 'no longer connected';
  const frozen = sum.frozenMs >= NOTICED_MS ? `, frozen for ${seconds(sum.frozenMs)}` : '';
  return `${seconds(sum.ms)}${frozen}`;
}

const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Puts the table between its marks. The formatter aligns it. */
export async function writeTable(found: readonly Found[]): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`No "${BEGIN}" … "${END}" in ${PAGE}.`);
  await writeFile(PAGE, `${before}${BEGIN}\n\n${drawTable(found)}\n\n${END}${after}`);
}
