/** Reads a report.json that somebody hands over: what has another shape is refused, what isn't known is dropped. */
import { z } from 'zod';
import { CAUSE_NAMES } from '../judge/causes.ts';
import { SCHEMA_VERSION, type Report } from './facts.ts';

const number = z.number();
const count = number.exactOptional();
const level = z.enum(['must', 'should', 'advice']);
const texts = z.record(z.string(), z.string());

const waterfall = z.object({
  durationMs: number,
  lanes: z.array(
    z.object({
      name: z.string(),
      marks: z.array(
        z.object({
          at: number,
          kind: z.enum(['live', 'replayed', 'duplicate', 'lost', 'result', 'question', 'answered']),
          label: z.string(),
        }),
      ),
    }),
  ),
  gaps: z.array(z.object({ from: number, to: number, label: z.string() })),
});

const exchange = z.object({
  method: z.string(),
  url: z.string(),
  requestHeaders: texts,
  status: number,
  responseHeaders: texts,
  body: z.string().exactOptional(),
});

const scenario = z.object({
  name: z.string(),
  verdict: z.enum(['pass', 'fail', 'unsupported', 'skipped']),
  why: z.string(),
  control: count,
  received: count,
  replayed: count,
  duplicates: count,
  lost: count,
  outOfOrder: count,
  blindWindowMs: count,
  reconnectMs: count,
  resultDelivered: z.boolean().exactOptional(),
  cause: z.enum(CAUSE_NAMES).exactOptional(),
  level: level.exactOptional(),
  clause: z.string().exactOptional(),
  fix: z.string().exactOptional(),
  exchange: exchange.exactOptional(),
  remarks: z.array(z.string()).exactOptional(),
  durationMs: count,
  waterfall: waterfall.exactOptional(),
  traces: z.array(z.string()).exactOptional(),
  returned: z
    .object({
      givesEventIds: z.boolean(),
      wasBlind: z.boolean().default(false),
      restarted: z.boolean(),
      isRevived: z.boolean().exactOptional(),
      refused: z.boolean(),
      resultDelivered: z.boolean(),
      followedAsTask: z.boolean(),
      missed: number.default(0),
      recovered: number.default(0),
    })
    .exactOptional(),
});

const report: z.ZodType<Report> = z.object({
  // Reports of before it had one are of the same shape.
  schemaVersion: z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION),
  target: z.string(),
  server: z.object({ name: z.string(), version: z.string() }),
  protocolVersion: z.string(),
  outcome: z.enum(['A', 'B', 'C', 'D', 'E', 'S', 'T']).nullable(),
  grade: z.string(),
  scenarios: z.array(scenario),
  tool: z
    .object({ name: z.string(), args: z.record(z.string(), z.unknown()), why: z.string() })
    .exactOptional(),
  reloadCosts: z
    .array(
      z.object({
        tool: z.string(),
        cost: z.enum(['cancelled', 'kept-as-task', 'kept-as-question', 'not-tested']),
        shownBy: z.enum(['reload', 'call']).exactOptional(),
        durationMs: count,
        isLonger: z.boolean().exactOptional(),
        advice: z.string().exactOptional(),
        why: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  toolList: z.object({ tools: number, bytes: number, estimatedTokens: number }).exactOptional(),
  notes: z
    .array(z.object({ kind: z.string(), text: z.string(), sources: z.array(z.string()).exactOptional() }))
    .exactOptional(),
  revision: z.enum(['session', 'stateless']).exactOptional(),
  expectError: z.boolean().exactOptional(),
  bridge: z
    .object({
      transport: z.enum(['stdio', 'http']),
      replay: z.enum(['bridge', 'server', 'tasks', 'none']),
      note: z.string(),
      ownScenarios: z.array(z.string()),
    })
    .exactOptional(),
  browser: z.object({ name: z.string(), version: z.string() }).exactOptional(),
  withoutCors: z.boolean().exactOptional(),
  terms: z
    .object({
      failOn: level.exactOptional(),
      expectedFailures: z.array(z.string()).exactOptional(),
      require: z.enum(['A', 'reload-safe']).exactOptional(),
    })
    .exactOptional(),
  part: z
    .object({
      index: number,
      total: number,
      hasSession: z.boolean(),
      era: z.enum(['session', 'stateless']),
      isBlocked: z.boolean(),
    })
    .exactOptional(),
  callsFile: z.string().exactOptional(),
  snapshotFile: z.string().exactOptional(),
  incomplete: z.string().exactOptional(),
  startedAt: z.string(),
  durationMs: number,
  seed: number,
  reprise: z.string(),
});

/** What `report.json` is, for programs in other languages: the JSON Schema in the package. */
export function reportSchema(): object {
  return { title: 'A report of mcp-reprise verify', ...z.toJSONSchema(report, { io: 'input' }) };
}

/** @throws an error that names the field which isn't as it should be */
export function parseReport(value: unknown): Report {
  const parsed = report.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new Error(`${field === '' ? 'It' : `"${field}"`} isn't valid (${issue?.message ?? 'unknown shape'})`);
}
