/** A value as a table, where it is one: a list of objects, alone or as the only list in an object. */
import { asText } from '../../base/asText.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
  /** The member that the list was found in. */
  readonly from?: string;
  /** What stands beside the list. */
  readonly rest: readonly (readonly [string, unknown])[];
}

const MAX_COLUMNS = 30;
/** The columns are those of the first rows: a list can be long. */
const LOOKED_AT = 200;

export function tableOf(value: unknown): Table | undefined {
  if (Array.isArray(value)) return ofList(value, undefined, []);
  if (!isObject(value)) return undefined;
  const members = Object.entries(value);
  if (members.length > MAX_COLUMNS) return undefined;
  const lists = members.filter(([, member]) => Array.isArray(member));
  const [only] = lists;
  const rest = members.filter(([, member]) => !Array.isArray(member));
  const isFlat = rest.every(([, member]) => typeof member !== 'object' || member === null);
  return only && lists.length === 1 && isFlat ? ofList(only[1] as unknown[], only[0], rest) : undefined;
}

function ofList(
  list: readonly unknown[],
  from: string | undefined,
  rest: readonly (readonly [string, unknown])[],
): Table | undefined {
  if (list.length === 0 || !list.every(isObject)) return undefined;
  const columns = [...new Set(list.slice(0, LOOKED_AT).flatMap((row) => Object.keys(row)))];
  if (columns.length === 0 || columns.length > MAX_COLUMNS) return undefined;
  return { columns, rows: list, ...(from !== undefined && { from }), rest };
}

const CELL_CHARS = 200;

export function cellText(value: unknown): string {
  if (value === undefined) return '';
  const text = asText(value);
  return text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
}
