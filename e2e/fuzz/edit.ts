/** A change of a good message in one place. It's small and plain JSON, so that a report is a test case. */
import fc from 'fast-check';
import { HUGE, ODD, ODD_NAMES, printOdd, type OddName } from './odd.ts';

export interface Edit {
  /** JSON Pointer into the message. */
  readonly at: string;
  readonly odd: OddName;
}

/** The message with its edits made, as JSON text. An edit whose place is gone is passed over. */
export function editedText(message: unknown, edits: readonly Edit[]): string {
  const holder = { message: structuredClone(message) };
  for (const { at, odd } of edits) applyEdit(holder, at, odd);
  return printOdd(holder.message);
}

function applyEdit(holder: { message: unknown }, at: string, odd: OddName): void {
  const path = ['message', ...at.split('/').slice(1).map(unescape)];
  const last = path.pop() ?? '';
  const parent = path.reduce<unknown>(
    (value, key) => (isContainer(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    holder,
  );
  if (!isContainer(parent)) return;
  const change: (good: unknown) => unknown = ODD[odd];
  const value = change(parent[last]);
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
}

/** Every place of a message, as JSON Pointers; the first is the message itself. */
export function placesOf(message: unknown, at = ''): readonly string[] {
  if (!isContainer(message)) return [at];
  return [at, ...Object.entries(message).flatMap(([key, value]) => placesOf(value, `${at}/${escape(key)}`))];
}

/** One to three edits of a message: most bugs need one, some need two that meet. */
export function editsOf(message: unknown): fc.Arbitrary<readonly Edit[]> {
  const small = ODD_NAMES.filter((name) => !HUGE.has(name));
  const odd = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...small) },
    { weight: 1, arbitrary: fc.constantFrom(...HUGE) },
  );
  const edit = fc.record({ at: fc.constantFrom(...placesOf(message)), odd });
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(edit, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(edit, { minLength: 2, maxLength: 3 }) },
  );
}

/** Every single edit of a message. */
export function* allEdits(message: unknown): Generator<Edit> {
  for (const at of placesOf(message)) for (const odd of ODD_NAMES) yield { at, odd };
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
