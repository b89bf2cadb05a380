/** Numbers of a fixed count, in the narrowest form that holds them all. */
type Values = Uint16Array | Uint32Array | Float64Array;

const LARGEST_UINT16 = 2 ** 16 - 1;
const LARGEST_UINT32 = 2 ** 32 - 1;

export class Column {
  #values: Values;

  constructor(length: number) {
    this.#values = new Uint16Array(length);
  }

  at(i: number): number {
    return this.#values[i] ?? 0;
  }

  set(i: number, value: number): void {
    if (!holds(this.#values, value)) this.#values = widened(this.#values, value);
    this.#values[i] = value;
  }
}

function holds(values: Values, value: number): boolean {
  if (values instanceof Float64Array) return true;
  const largest = values instanceof Uint16Array ? LARGEST_UINT16 : LARGEST_UINT32;
  return value >= 0 && value <= largest && Number.isInteger(value);
}

function widened(values: Values, value: number): Values {
  const longer = Uint32Array.from(values);
  return holds(longer, value) ? longer : Float64Array.from(values);
}
