/** What has changed since an earlier report: scenarios that fail now and did not, and the other way round. Pure. */
import type { Report, Verdict } from './facts.ts';

export interface Change {
  readonly target: string;
  readonly scenario: string;
  readonly before: Verdict;
}

export interface Changes {
  readonly newFailures: readonly Change[];
  readonly fixed: readonly Change[];
}

/** A scenario that was not in the earlier report is new too, if it fails. */
export function compareReports(before: readonly Report[], now: readonly Report[]): Changes {
  const known = new Map(before.flatMap((report) => verdictsOf(report)));
  const changes = now.flatMap((report) =>
    verdictsOf(report).map(([key, verdict], at) => ({
      target: report.target,
      scenario: report.scenarios[at]?.name ?? '',
      before: known.get(key) ?? 'skipped',
      verdict,
    })),
  );
  const told = ({ target, scenario, before: old }: (typeof changes)[number]): Change => ({
    target,
    scenario,
    before: old,
  });
  return {
    newFailures: changes.filter(({ verdict, before: old }) => verdict === 'fail' && old !== 'fail').map(told),
    fixed: changes.filter(({ verdict, before: old }) => verdict === 'pass' && old === 'fail').map(told),
  };
}

/** A run in CI may have another port each time. */
function verdictsOf({ target, revision, scenarios }: Report): readonly (readonly [string, Verdict])[] {
  const place = URL.canParse(target) ? withoutPort(new URL(target)) : target;
  return scenarios.map(({ name, verdict }) => [JSON.stringify([place, revision, name]), verdict] as const);
}

function withoutPort({ protocol, hostname, port, pathname }: URL): string {
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return isLocal ? `local${pathname}` : `${protocol}//${hostname}:${port}${pathname}`;
}

/** In a line for each kind of change; none if nothing has changed. */
export function describeChanges({ newFailures, fixed }: Changes): readonly string[] {
  const names = (changes: readonly Change[]): string =>
    [...new Set(changes.map(({ scenario }) => scenario))].join(', ');
  return [
    ...(newFailures.length > 0 ? [`New failures since the last report: ${names(newFailures)}.`] : []),
    ...(fixed.length > 0 ? [`Fixed since the last report: ${names(fixed)}.`] : []),
  ];
}
