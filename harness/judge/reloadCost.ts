/** What a reload costs where there are no sessions (2026-07-28): read from responses and from scenarios. Pure. */
import { objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import { plural } from '../../src/base/format.ts';
import { chooseQuestionTool } from '../chooseQuestionTool.ts';
import type { Context } from '../context.ts';
import type { ReloadCost, ScenarioResult } from '../report/facts.ts';

/** The loss of a shorter call is hardly noticed. */
const LONG_MS = 2000;

/** "Make it a task", where that would save something. */
export function withAdvice(cost: ReloadCost): ReloadCost {
  if (cost.cost !== 'cancelled' || (cost.durationMs ?? 0) <= LONG_MS) return cost;
  const advice = `"${cost.tool}" takes ${timeOf(cost)}, and a reload cancels it. Make it a task, so that it survives a reload.`;
  return { ...cost, advice };
}

/** "2.5 s" */
export function timeOf({ durationMs = 0, isLonger = false }: ReloadCost): string {
  return `${isLonger ? 'more than ' : ''}${(durationMs / 1000).toFixed(1)} s`;
}

/** What the scenarios have shown, of the tools that they called. */
export function costsShownByReloads(
  results: readonly ScenarioResult[],
  { tool, tools, control }: Pick<Context, 'tool' | 'tools' | 'control'>,
): readonly ReloadCost[] {
  const hasPassed = (name: string): boolean =>
    results.some((result) => result.name === name && result.verdict === 'pass');
  const asking = chooseQuestionTool(tools);
  const took = control ? { durationMs: control.durationMs } : {};
  return [
    ...(tool && hasPassed('reload-with-task')
      ? [{ tool: tool.name, cost: 'kept-as-task', shownBy: 'reload', ...took } as const]
      : []),
    ...(tool && hasPassed('reload-cancels')
      ? [withAdvice({ tool: tool.name, cost: 'cancelled', shownBy: 'reload', ...took })]
      : []),
    ...(asking && asking.name !== tool?.name && hasPassed('reload-with-question')
      ? [{ tool: asking.name, cost: 'kept-as-question', shownBy: 'reload' } as const]
      : []),
  ];
}

/** What the response to a call says; `undefined`: there was none within that time. */
export function costOfResponse(
  tool: string,
  response: JsonObject | undefined,
  durationMs: number,
): ReloadCost {
  const result = objectField(response, 'result');
  const shownBy = 'call';
  if (response === undefined) {
    return withAdvice({ tool, cost: 'cancelled', shownBy, durationMs, isLonger: true });
  }
  switch (stringField(result, 'resultType')) {
    case 'task':
      return { tool, cost: 'kept-as-task', shownBy };
    case 'input_required':
      return { tool, cost: 'kept-as-question', shownBy };
    default:
      return result === undefined || result['isError'] === true
        ? { tool, cost: 'not-tested', why: 'It returned an error with arguments from its schema.' }
        : withAdvice({ tool, cost: 'cancelled', shownBy, durationMs });
  }
}

const WORDS: Readonly<Record<ReloadCost['cost'], string>> = {
  cancelled: 'cancelled by a reload',
  'kept-as-task': 'kept as a task',
  'kept-as-question': 'kept as an input request',
  'not-tested': 'not tested',
};

export const costInWords = ({ cost }: ReloadCost): string => WORDS[cost];

/** The tools that were not tested, once for each reason. */
export function untestedIn(
  costs: readonly ReloadCost[],
): readonly { why: string; tools: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { tool, cost, why = '' } of costs) {
    if (cost === 'not-tested') groups.set(why, [...(groups.get(why) ?? []), tool]);
  }
  return [...groups].map(([why, tools]) => ({ why, tools }));
}

/** "Of 9 tools, 5 are cancelled by a reload, 2 are kept as a task, 2 are not tested." */
export function sumOfCosts(costs: readonly ReloadCost[]): string {
  const parts = (Object.keys(WORDS) as ReloadCost['cost'][])
    .map((cost) => [costs.filter((one) => one.cost === cost).length, WORDS[cost]] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${number === 1 ? 'is' : 'are'} ${words}`);
  return `Of ${plural(costs.length, 'tool')}, ${parts.join(', ')}.`;
}
