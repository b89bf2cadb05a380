/** Failures with one cause are one problem: what it is, who found it, what it hides, and how to test it again. Pure. */
import { count } from '../../../src/base/words.ts';
import type { Report, ScenarioResult } from './facts.ts';
import { shellQuote } from './shellQuote.ts';

export interface Problem {
  /** The finding that is shown; the others say the same. */
  readonly shown: ScenarioResult;
  readonly others: readonly ScenarioResult[];
  /** Scenarios that could not be run because of it. */
  readonly hidden: readonly string[];
  /** For a shell. */
  readonly command: string;
}

/** What `needs.ts` says where a server gives no event IDs. */
const NO_EVENT_IDS = 'gives no event ids';

export function problemsIn({ scenarios, target }: Report): readonly Problem[] {
  const groups = new Map<string, ScenarioResult[]>();
  for (const result of scenarios.filter(({ verdict }) => verdict === 'fail')) {
    // The same change to the server: the same cause.
    const cause = result.fix ?? result.why;
    groups.set(cause, [...(groups.get(cause) ?? []), result]);
  }
  return [...groups.values()].flatMap((results) => {
    const [shown, ...others] = results;
    if (!shown) return [];
    const names = results.map(({ name }) => name).join(',');
    return [
      {
        shown,
        others,
        hidden: hiddenBy(shown, scenarios),
        command: `${COMMAND} ${shellQuote(target)} --scenario ${shellQuote(names)}`,
      },
    ];
  });
}

const COMMAND = 'npx mcp-reprise verify';

function hiddenBy({ why }: ScenarioResult, scenarios: readonly ScenarioResult[]): readonly string[] {
  if (!why.includes(NO_EVENT_IDS)) return [];
  return scenarios
    .filter((result) => result.verdict === 'unsupported' && result.why.includes(NO_EVENT_IDS))
    .map(({ name }) => name);
}

/** "reload-twice (14 of 25 messages, no result)" */
export function describeOther({ name, received, control, resultDelivered }: ScenarioResult): string {
  if (received === undefined || control === undefined) return name;
  const result = resultDelivered === false ? ', no result' : '';
  return `${name} (${received} of ${count(control, 'message')}${result})`;
}
