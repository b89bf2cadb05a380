/** Which test servers and scenarios a page goes through, and the best that it can do with each. Pure. */
export type Letter = 'R' | 'N' | 'L' | 'F' | 'X';

export type ScenarioName =
  | 'reload-mid-call'
  | 'reload-twice'
  | 'reload-before-first-event'
  | 'finish-while-away'
  | 'second-tab'
  | 'network-blip'
  | 'tab-crash';

export const SCENARIO_NAMES: readonly ScenarioName[] = [
  'reload-mid-call',
  'reload-twice',
  'reload-before-first-event',
  'finish-while-away',
  'second-tab',
  'network-blip',
  'tab-crash',
];

export interface PageTarget {
  readonly name: string;
  readonly profile: string;
  /** The best letters that a page can get. */
  readonly best: readonly Letter[];
  readonly scenarios: readonly ScenarioName[];
  /** It sends messages while a call runs. */
  readonly streams: boolean;
  /** It closes its streams, so that messages can't be held back: the page stays away for a time. */
  readonly polls?: boolean;
  /** Done to the server while the page is away. */
  readonly control?: string;
  /** Pages of 2025-11-25 can't connect to it. */
  readonly isStateless?: boolean;
}

const RESUMES: readonly ScenarioName[] = ['reload-mid-call', 'reload-twice', 'finish-while-away'];
const LOSES: readonly ScenarioName[] = ['reload-mid-call', 'finish-while-away'];

const target = (
  name: string,
  best: readonly Letter[],
  scenarios: readonly ScenarioName[],
  more: Partial<PageTarget> = {},
): PageTarget => ({
  name,
  profile: name,
  best,
  scenarios,
  streams: true,
  ...more,
});

export const PAGE_TARGETS: readonly PageTarget[] = [
  target('resumable', ['R'], SCENARIO_NAMES),
  target('slow-409', ['R'], RESUMES),
  target('over-replay', ['R'], RESUMES),
  target('polling', ['R'], RESUMES, { polls: true }),
  target('dual', ['R'], RESUMES),
  target('tasks-2025', ['R'], RESUMES, { streams: false }),
  target('modern-tasks', ['R'], RESUMES, { streams: false, isStateless: true }),
  target('fresh-404', ['N'], ['reload-mid-call'], { control: 'expire-sessions' }),
  target('restart', ['N'], ['reload-mid-call'], { profile: 'resumable', control: 'restart' }),
  target('no-replay', ['L'], [...LOSES, 'second-tab']),
  target('stateless', ['L', 'N'], LOSES),
  target('json', ['L'], LOSES, { streams: false }),
];

export interface PageCase {
  readonly target: PageTarget;
  readonly scenario: ScenarioName;
}

export interface CaseFilter {
  readonly targets?: readonly string[] | undefined;
  readonly scenarios?: readonly string[] | undefined;
}

export function casesOf({ targets, scenarios }: CaseFilter): readonly PageCase[] {
  return PAGE_TARGETS.filter(({ name }) => !targets || targets.includes(name)).flatMap((one) =>
    one.scenarios
      .filter((scenario) => !scenarios || scenarios.includes(scenario))
      .map((scenario) => ({ target: one, scenario })),
  );
}

/** With two tabs, no page is interrupted: every server can bring the response. */
export const bestOf = ({ target: { best }, scenario }: PageCase): readonly Letter[] =>
  scenario === 'second-tab' ? ['R'] : best;
