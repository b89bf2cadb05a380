/** Whether a call is as it is expected to be. Pure: what differs is told in sentences. */
import { isDeepStrictEqual } from 'node:util';
import { objectField } from '../../src/base/json.ts';
import { checkValue } from '../../src/limited/checkValue.ts';
import type { Call } from '../contract.ts';
import { errorIn } from '../judge/errorIn.ts';
import type { Expectation, PathExpectation } from './callsFile.ts';
import { parsePath, valueAt, withoutPaths } from './jsonPath.ts';

export interface Known {
  /** Of the tool, if it has one. */
  readonly outputSchema: object | undefined;
  /** What the result was before; `undefined` if there is none. */
  readonly snapshot: unknown;
}

/** Nothing if everything is as expected. */
export function judgeExpected(call: Call, expected: Expectation, known: Known): readonly string[] {
  const { status, schema, paths, snapshot, ignore } = expected;
  if (call.name !== 'settled') return [`The call is ${call.name}. ${call.why ?? ''}`.trim()];
  const error = errorIn(call);
  if (status === 'result' && error !== undefined) return [`The call ended with an error: ${error}`];
  if (status === 'error' && error === undefined) return ['The call ended with a result instead of an error.'];
  const result = resultOf(call);
  return [
    ...(schema === undefined || schema === false ? [] : checkSchema(result, schema, known.outputSchema)),
    ...paths.flatMap((one) => checkPath(result, one)),
    ...(snapshot ? checkSnapshot(result, known.snapshot, ignore) : []),
  ];
}

/** What is compared and kept; an error of the protocol has no result. */
export function resultOf({ result, error }: Call): object {
  return result ?? (error ? { error } : {});
}

function checkSchema(result: object, schema: true | object, outputSchema: object | undefined): string[] {
  const used = schema === true ? outputSchema : schema;
  if (!used) return ['The tool has no output schema. Put one into the file, or remove "schema".'];
  const structured = objectField(result, 'structuredContent');
  if (!structured) return ['The result has no structuredContent to compare with the schema.'];
  const check = checkValue(used, structured);
  if (check.name === 'fits') return [];
  if (check.name === 'unchecked') return [check.why];
  return check.complaints.map(({ pointer, message }) => `structuredContent${pointer}: ${message}`);
}

function checkPath(result: object, expected: PathExpectation): string[] {
  const steps = parsePath(expected.path);
  if (!steps) return [`${expected.path} isn't a valid path. Example: $.content[0].text`];
  const found = valueAt(result, steps);
  const shown = found === undefined ? 'nothing' : short(found);
  if ('exists' in expected) {
    if ((found !== undefined) === expected.exists) return [];
    return [`${expected.path}: expected ${expected.exists ? 'a value' : 'nothing'}, received ${shown}.`];
  }
  if ('matches' in expected) {
    const text = typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found);
    if (found !== undefined && new RegExp(expected.matches, 'u').test(text)) return [];
    return [`${expected.path}: expected a match of /${expected.matches}/, received ${shown}.`];
  }
  if (isDeepStrictEqual(found, expected.equals)) return [];
  return [`${expected.path}: expected ${short(expected.equals)}, received ${shown}.`];
}

function checkSnapshot(result: object, snapshot: unknown, ignore: readonly string[]): string[] {
  if (snapshot === undefined) return ['No snapshot. Run with --update-snapshots to write one.'];
  const bad = ignore.find((path) => parsePath(path) === undefined);
  if (bad !== undefined) return [`${bad} isn't a valid path. Example: $.content[0].text`];
  const paths = [['_meta'], ...ignore.flatMap((path) => [parsePath(path) ?? []])];
  const [before, now] = [withoutPaths(snapshot, paths), withoutPaths(result, paths)];
  if (isDeepStrictEqual(before, now)) return [];
  const at = firstDifference(before, now, '$');
  return [
    `The result differs from the snapshot at ${at.path}: ${short(at.before)} before, ${short(at.now)} now.`,
  ];
}

interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly now: unknown;
}

function firstDifference(before: unknown, now: unknown, path: string): Difference {
  const isContainer = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  if (!isContainer(before) || !isContainer(now) || Array.isArray(before) !== Array.isArray(now))
    return { path, before, now };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const key = keys.find((one) => !isDeepStrictEqual(before[one], now[one]));
  if (key === undefined) return { path, before, now };
  const step = Array.isArray(before) ? `[${key}]` : /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `['${key}']`;
  return firstDifference(before[key], now[key], `${path}${step}`);
}

const short = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};
