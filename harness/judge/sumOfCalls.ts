/** One finding for several calls that were interrupted together: the worst of them, and the sums. Pure. */
import { plural } from '../../src/base/format.ts';
import type { Finding } from '../context.ts';
import type { Judged } from './judgeCall.ts';

/** @returns `at`: which of them is shown */
export function sumOfCalls(judged: readonly Judged[]): Judged & { readonly at: number } {
  const ranks = judged.map(rankOf);
  const at = ranks.indexOf(Math.min(...ranks));
  const shown = judged[at];
  if (!shown) throw new Error('Nothing to check.');
  if (judged.length === 1) return { ...shown, at };
  return { ...shown, at, finding: sum(shown.finding, judged) };
}

/** A failure that is certain comes first, then one that may be the machine's, then what proves nothing. */
function rankOf({ finding, again }: Judged): number {
  if (finding.verdict === 'fail') return again === undefined ? 0 : 1;
  return again === undefined ? 3 : 2;
}

function sum(shown: Finding, judged: readonly Judged[]): Finding {
  const findings = judged.map(({ finding }) => finding);
  const failed = findings.filter(({ verdict }) => verdict === 'fail').length;
  const total = (pick: (finding: Finding) => number | undefined): number =>
    findings.reduce((all, finding) => all + (pick(finding) ?? 0), 0);
  const { waterfall } = shown;
  return {
    ...shown,
    why:
      failed > 0
        ? `${failed} of ${plural(findings.length, 'call')}: ${shown.why}`
        : shown.verdict === 'pass'
          ? `All ${findings.length} calls completed with nothing lost.`
          : shown.why,
    control: total(({ control }) => control),
    received: total(({ received }) => received),
    replayed: total(({ replayed }) => replayed),
    duplicates: total(({ duplicates }) => duplicates),
    lost: total(({ lost }) => lost),
    outOfOrder: total(({ outOfOrder }) => outOfOrder),
    resultDelivered: findings.every(({ resultDelivered }) => resultDelivered === true),
    ...(waterfall && {
      waterfall: {
        ...waterfall,
        durationMs: Math.max(...findings.map((finding) => finding.waterfall?.durationMs ?? 1)),
        lanes: findings.flatMap((finding, at) =>
          (finding.waterfall?.lanes ?? []).map((lane) => ({ ...lane, name: `${lane.name} ${at + 1}` })),
        ),
      },
    }),
  };
}
