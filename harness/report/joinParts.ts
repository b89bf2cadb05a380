/** One report of a server from the parts of a run that was divided into shards. Pure. */
import { gradeOf, outcomeOf } from '../judge/outcome.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { Part, Report, ScenarioResult } from './facts.ts';

type PartialReport = Report & { readonly part: Part };

/** Reports that are whole stay as they are. */
export function joinParts(reports: readonly Report[]): readonly Report[] {
  const groups = new Map<string, Report[]>();
  for (const [at, report] of reports.entries()) {
    const { target, revision, browser, part } = report;
    const key = part ? JSON.stringify([target, revision, browser?.name, part.total]) : String(at);
    groups.set(key, [...(groups.get(key) ?? []), report]);
  }
  return [...groups.values()].flatMap((group) => (group.every(isPart) ? [join(group)] : group));
}

const isPart = (report: Report): report is PartialReport => report.part !== undefined;

function join(parts: readonly PartialReport[]): Report {
  const [first] = parts;
  if (!first) throw new Error('No parts to combine.');
  const { part, ...rest } = first;
  const { hasSession, era, isBlocked } = part;
  const scenarios = inOrder(parts.flatMap((one) => one.scenarios));
  const outcome = outcomeOf(scenarios, { hasSession });
  const reloadCosts = parts.find((one) => one.reloadCosts)?.reloadCosts;
  const bridge = first.bridge && {
    ...first.bridge,
    ownScenarios: [...new Set(parts.flatMap((one) => one.bridge?.ownScenarios ?? []))],
  };
  const incomplete = whyIncomplete(parts, part.total);
  return {
    ...rest,
    scenarios,
    outcome,
    grade: gradeOf(outcome, scenarios, {
      isBlocked,
      era,
      bridge,
      ...(scenarios.length < SCENARIOS.length && { of: SCENARIOS.length }),
    }),
    ...(reloadCosts && { reloadCosts }),
    ...(bridge && { bridge }),
    ...(incomplete !== undefined && { incomplete }),
    startedAt: parts.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    durationMs: Math.max(...parts.map(({ durationMs }) => durationMs)),
  };
}

/** The control call is in every part: one that failed is shown. */
function inOrder(scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const byName = new Map<string, ScenarioResult>();
  for (const scenario of scenarios) {
    if (byName.get(scenario.name)?.verdict !== 'fail') byName.set(scenario.name, scenario);
  }
  const placeOf = ({ name }: ScenarioResult): number => {
    const at = SCENARIOS.findIndex((one) => one.name === name);
    return at < 0 ? SCENARIOS.length : at;
  };
  return [...byName.values()].sort((a, b) => placeOf(a) - placeOf(b));
}

/** A part that never came must not turn into a success. */
function whyIncomplete(parts: readonly PartialReport[], total: number): string | undefined {
  const told = parts.find(({ incomplete }) => incomplete !== undefined)?.incomplete;
  const missing = Array.from({ length: total }, (_, at) => at + 1).filter(
    (index) => !parts.some(({ part }) => part.index === index),
  );
  return told ?? (missing.length > 0 ? `Part ${missing.join(', ')} of ${total} is missing.` : undefined);
}
