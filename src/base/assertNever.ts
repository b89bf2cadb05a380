/** Makes the compiler prove that a union is exhausted; throws if data from outside slipped past the types. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
