/** What two runs of the same call have in common: a message without what differs from run to run. Pure. */
import { isObject } from '../../src/base/json.ts';

const VOLATILE_KEYS = new Set(['id', 'progressToken', 'timestamp', 'time', 'date', 'requestId', 'taskId']);
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const ULID = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g;
const ISO_TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g;
const EPOCH_TEXT = /\b1[5-9]\d{8}(\d{3})?\b/g;

export function fingerprint(message: object): string {
  return JSON.stringify(steady(message));
}

function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value === 'string') return steadyText(value);
  if (typeof value === 'number') return isEpoch(value) ? '‹time›' : value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VOLATILE_KEYS.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, steady(part)]),
  );
}

function steadyText(text: string): string {
  return text
    .replace(UUID, '‹id›')
    .replace(ULID, '‹id›')
    .replace(ISO_TIME, '‹time›')
    .replace(EPOCH_TEXT, '‹time›');
}

/** Seconds or milliseconds between 2017 and 2033. */
function isEpoch(value: number): boolean {
  return (value >= 1.5e9 && value < 2e9) || (value >= 1.5e12 && value < 2e12);
}
