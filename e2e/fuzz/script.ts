/** What a mutated server does in one run: good messages with edits. A script is plain JSON, so a finding can be replayed. */
import fc from 'fast-check';
import { editsOf, type Edit } from './edit.ts';
import { CALL_ANSWERS, FRAME, HTTP_ERROR, ITEMS, LOG, MESSAGES, OAUTH, RESULTS } from './samples.ts';

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the names of the result are made with it
const named = <P extends string, T extends object>(prefix: P, table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [`${prefix} ${name}`, value])) as {
    [K in keyof T & string as `${P} ${K}`]: T[K];
  };

export const SAMPLES = {
  ...named('item', ITEMS),
  ...named('result', RESULTS),
  ...named('answer', CALL_ANSWERS),
  ...named('message', MESSAGES),
  ...named('oauth', OAUTH),
  frame: FRAME,
  'HTTP error': HTTP_ERROR,
  log: LOG,
} as const;
export type SampleName = keyof typeof SAMPLES;
export const SAMPLE_NAMES = Object.keys(SAMPLES) as readonly SampleName[];

/** How the app meets the script: as a server of one kind, or as files to import. */
export type Kind = 'session' | 'stateless' | 'oauth' | 'import';

export interface PlacedEdit extends Edit {
  readonly message: SampleName;
  /** A server lists several tools, and answers several calls: each copy of a message has its own edits. */
  readonly copy: number;
}

export interface Script {
  readonly kind: Kind;
  readonly edits: readonly PlacedEdit[];
}

const beginning = (...prefixes: readonly string[]) =>
  SAMPLE_NAMES.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));

/** What is sent once for each listed item or call. */
const MANY = beginning(
  'item',
  'answer',
  'message',
  'frame',
  'HTTP',
  'result tools/call',
  'result resources/read',
).concat('result prompts/get');
/** What is sent once. An edit here may hide all that would come after it, so most scripts have none. */
const ONCE = beginning('result').filter((name) => !MANY.includes(name));

/** Enough to make a page load worth its time, few enough to be drawn in a few seconds. */
const MAX_COPIES = 24;

export const scripts: fc.Arbitrary<Script> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom<Kind>('session', 'stateless'), copies(MANY)).map(script) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom<Kind>('session', 'stateless'), copies(ONCE, 2)).map(script),
  },
  { weight: 1, arbitrary: copies(beginning('oauth'), 2).map((edits) => script(['oauth', edits])) },
  { weight: 2, arbitrary: copies(['log'], 8).map((edits) => script(['import', edits])) },
);

function script([kind, edits]: readonly [Kind, readonly PlacedEdit[]]): Script {
  return { kind, edits };
}

function copies(names: readonly SampleName[], maxLength = MAX_COPIES): fc.Arbitrary<readonly PlacedEdit[]> {
  const edited = fc
    .constantFrom(...names)
    .chain((message) => editsOf(SAMPLES[message]).map((edits) => ({ message, edits })));
  return fc
    .array(edited, {
      minLength: Math.min(maxLength, maxLength === MAX_COPIES ? 12 : 1),
      maxLength,
      size: 'max',
    })
    .map((all) =>
      all.flatMap(({ message, edits }, copy) => edits.map((edit) => ({ message, copy, ...edit }))),
    );
}

/** The edits of each copy of a message. */
export function copiesOf(
  edits: readonly PlacedEdit[],
  message: SampleName,
): ReadonlyMap<number, readonly Edit[]> {
  const found = new Map<number, Edit[]>();
  for (const edit of edits) {
    if (edit.message === message) found.set(edit.copy, [...(found.get(edit.copy) ?? []), edit]);
  }
  return found;
}
