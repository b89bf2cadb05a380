/** A file of saved calls, each with what is expected of it. Pure. */
import { z } from 'zod';
import { HarnessError } from '../harnessError.ts';

/** What is found at a path of the result: exactly one of them. */
const atPath = z.union([
  z.strictObject({ path: z.string(), equals: z.unknown() }),
  z.strictObject({ path: z.string(), matches: z.string() }),
  z.strictObject({ path: z.string(), exists: z.boolean() }),
]);

const expectation = z.strictObject({
  /** How the call ends: with a result, or with an error of the tool or of the protocol. */
  status: z.enum(['result', 'error']).default('result'),
  /** `true`: `structuredContent` fits the tool's output schema. An object: it fits this one. */
  schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).exactOptional(),
  paths: z.array(atPath).default([]),
  /** The result is the same as in the snapshot, except at the paths of `ignore`. */
  snapshot: z.boolean().default(false),
  ignore: z.array(z.string()).default([]),
  /** Everything is expected across a reload of the page, too. */
  reload: z.boolean().default(true),
});

const file = z.object({
  schemaVersion: z.literal(1),
  calls: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        tool: z.string().min(1),
        args: z.record(z.string(), z.unknown()).default({}),
        /** Sent as `_meta`. */
        meta: z.record(z.string(), z.unknown()).exactOptional(),
        expect: expectation.prefault({}),
      }),
    )
    .min(1),
});

export type Expectation = z.infer<typeof expectation>;
export type PathExpectation = z.infer<typeof atPath>;
export type ExpectedCall = z.infer<typeof file>['calls'][number];

export function parseCallsFile(text: string, path: string): readonly ExpectedCall[] {
  const parsed = file.safeParse(parseJson(text, path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    throw wrong(path, `${field === '' ? 'it' : `"${field}"`} isn't valid (${issue?.message ?? ''})`);
  }
  const { calls } = parsed.data;
  const twice = calls.find(
    (call, at) => calls.findIndex(({ name, tool }) => name === call.name && tool === call.tool) !== at,
  );
  if (twice) throw wrong(path, `two calls of ${twice.tool} are named "${twice.name}"`);
  return calls;
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong(path, 'invalid JSON');
  }
}

const wrong = (path: string, why: string): HarnessError =>
  new HarnessError('usage', `Invalid calls in ${path}: ${why}.`);
