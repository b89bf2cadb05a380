/** The servers that trials run against, and what may be expected of each. */
export interface SoakServer {
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  /** Behind the bridge: a stdio program, instead of a target's profile. */
  readonly isBridge?: true;
  /** What a page missed can be had again, so a call that has an event ID must end whole. */
  readonly replays: boolean;
  /** When the first event ID is sent: with the head of the response, or with the first message. */
  readonly firstId: 'head' | 'message';
  /** Runs a request once, however often it's received. */
  readonly runsOnce: boolean;
  /** Whether each message of a call reaches a page. As a task, a call has its result alone. */
  readonly sendsProgress: boolean;
  /** Can ask the user in the middle of a call. */
  readonly asks: boolean;
  /** Keeps calls in memory, so a restart ends them. */
  readonly canRestart: boolean;
  /** Its tool has a view (MCP Apps). */
  readonly hasView?: true;
}

const GOOD: Omit<SoakServer, 'name' | 'weight'> = {
  replays: true,
  firstId: 'head',
  runsOnce: true,
  sendsProgress: true,
  asks: true,
  canRestart: true,
};
const FORGETFUL = { ...GOOD, replays: false };

export const SOAK_SERVERS: readonly SoakServer[] = [
  { ...GOOD, name: 'resumable', weight: 30 },
  { ...GOOD, name: 'over-replay', weight: 8 },
  { ...GOOD, name: 'polling', weight: 6 },
  { ...GOOD, name: 'stays-open', weight: 4 },
  { ...GOOD, name: 'recreate', weight: 3 },
  { ...GOOD, name: 'fresh-404', weight: 3 },
  { ...GOOD, name: 'bad-400', weight: 3 },
  { ...GOOD, name: 'slow-409', weight: 1 },
  { ...GOOD, name: 'no-priming', weight: 5, firstId: 'message' },
  { ...GOOD, name: 'progress-on-get', weight: 2 },
  { ...GOOD, name: 'app', weight: 5, hasView: true, asks: false },
  { ...GOOD, name: 'dual', weight: 3 },
  { ...GOOD, name: 'bridge', weight: 5, isBridge: true, asks: false, canRestart: false },
  { ...GOOD, name: 'tasks-2025', weight: 4, sendsProgress: false, asks: false },
  { ...GOOD, name: 'modern-tasks', weight: 4, sendsProgress: false, asks: false, runsOnce: false },
  { ...FORGETFUL, name: 'no-replay', weight: 4 },
  { ...FORGETFUL, name: 'late-result', weight: 2 },
  { ...FORGETFUL, name: 'json', weight: 3, sendsProgress: false },
  { ...FORGETFUL, name: 'stateless', weight: 2, runsOnce: false, asks: false },
  { ...FORGETFUL, name: 'modern', weight: 3, runsOnce: false, asks: false },
  { ...FORGETFUL, name: 'sse', weight: 2, runsOnce: false, asks: false },
  { ...GOOD, name: 'runs-twice', weight: 2, runsOnce: false },
];

export function findSoakServer(name: string): SoakServer {
  const found = SOAK_SERVERS.find((server) => server.name === name);
  if (!found) throw new Error(`Unknown server of the soak: ${name}.`);
  return found;
}
