/** Reads a report.json that somebody hands over: what has another shape is refused, what isn't known is dropped. */
import { z } from 'zod';
import type { Report } from './facts.ts';

const number = z.number();
const count = number.exactOptional();
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
  fix: z.string().exactOptional(),
  exchange: exchange.exactOptional(),
  remarks: z.array(z.string()).exactOptional(),
  durationMs: count,
  waterfall: waterfall.exactOptional(),
  returned: z
    .object({
      givesEventIds: z.boolean(),
      restarted: z.boolean(),
      refused: z.boolean(),
      resultDelivered: z.boolean(),
      followedAsTask: z.boolean(),
    })
    .exactOptional(),
});

const report: z.ZodType<Report> = z.object({
  target: z.string(),
  server: z.object({ name: z.string(), version: z.string() }),
  protocolVersion: z.string(),
  outcome: z.enum(['A', 'B', 'C', 'D', 'E', 'S', 'T']).nullable(),
  grade: z.string(),
  scenarios: z.array(scenario),
  tool: z
    .object({ name: z.string(), args: z.record(z.string(), z.unknown()), why: z.string() })
    .exactOptional(),
  withoutCors: z.boolean().exactOptional(),
  incomplete: z.string().exactOptional(),
  startedAt: z.string(),
  durationMs: number,
  seed: number,
  reprise: z.string(),
});

/** @throws an error that names the field which isn't as it should be */
export function parseReport(value: unknown): Report {
  const parsed = report.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new Error(`${field === '' ? 'It' : `"${field}"`} isn't valid (${issue?.message ?? 'unknown shape'})`);
}
