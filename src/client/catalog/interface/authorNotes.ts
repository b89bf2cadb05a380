/** What the author of a server should know about its interface, in sentences. Pure. */
import { plural, duration } from '../../../base/format.ts';
import { SCHEMA_RULES, type CheckedTool } from './schemaRules.ts';

/** Parts of the protocol that are deprecated, and were seen in use. */
export type DeprecatedPart = 'logging' | 'sampling' | 'roots' | 'dynamic-registration' | 'http-sse';

export interface AuthorNote {
  readonly kind: 'deprecated' | 'schema' | 'make-it-a-task';
  readonly text: string;
  /** GitHub threads. */
  readonly sources?: readonly string[];
}

/** A call that ended with a result. */
export interface TimedCall {
  readonly tool: string;
  readonly durationMs: number;
}

export interface NoteFacts {
  readonly deprecated: readonly DeprecatedPart[];
  readonly tools: readonly CheckedTool[];
  /** Calls to a stateless server that weren't tasks, and didn't wait for input. */
  readonly cancelledByReload: readonly TimedCall[];
}

/** MCP 2026-07-28, Deprecated Features. */
const REMOVAL = 'It may be removed from 2027-07-28 on.';

const DEPRECATED: Readonly<Record<DeprecatedPart, string>> = {
  logging: `The server declares logging, which is deprecated. ${REMOVAL} Write logs to stderr or use OpenTelemetry.`,
  sampling: `The server sends sampling requests, which are deprecated. ${REMOVAL} Call a model’s API instead.`,
  roots: `The server requests roots, which are deprecated. ${REMOVAL} Pass paths as tool arguments instead.`,
  'dynamic-registration': `Reprise used dynamic client registration, which is deprecated. ${REMOVAL} Support client ID metadata documents.`,
  'http-sse': 'The server uses HTTP+SSE, which is deprecated. Serve Streamable HTTP.',
};

/** The loss of a shorter call is hardly noticed. */
const LONG_MS = 2000;
const NAMED = 3;

export function authorNotes(facts: NoteFacts): readonly AuthorNote[] {
  return [...usageNotes(facts), ...schemaNotes(facts.tools)];
}

/** What was seen of the server. */
export function usageNotes({
  deprecated,
  cancelledByReload,
}: Omit<NoteFacts, 'tools'>): readonly AuthorNote[] {
  return [
    ...longTools(cancelledByReload).map(({ tool, durationMs }): AuthorNote => ({
      kind: 'make-it-a-task',
      text: `“${tool}” took ${duration(durationMs)}, and a reload cancels it. Run it as a task so that it survives reloads.`,
    })),
    ...deprecated.map((part): AuthorNote => ({ kind: 'deprecated', text: DEPRECATED[part] })),
  ];
}

/** What clients reject of the tools. */
export function schemaNotes(tools: readonly CheckedTool[]): readonly AuthorNote[] {
  return SCHEMA_RULES.flatMap(({ has, effect, sources, applies }): AuthorNote[] => {
    const names = tools.filter(applies).map(({ name }) => name);
    if (names.length === 0) return [];
    const verb = names.length === 1 ? 'has' : 'have';
    return [{ kind: 'schema', text: `${listed(names)} ${verb} ${has}. ${effect}`, sources }];
  });
}

/** The longest call of each tool that takes long. */
function longTools(calls: readonly TimedCall[]): readonly TimedCall[] {
  const longest = new Map<string, number>();
  for (const { tool, durationMs } of calls) {
    if (durationMs > LONG_MS) longest.set(tool, Math.max(durationMs, longest.get(tool) ?? 0));
  }
  return [...longest].map(([tool, durationMs]) => ({ tool, durationMs }));
}

/** "“a”, “b” and 3 other tools" */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `“${name.slice(0, 100)}”`);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${plural(left, 'other tool')}` : shown.join(', ');
}
