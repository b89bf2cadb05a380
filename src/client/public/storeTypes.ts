/** Where a client keeps its records. Types only. */

/** Where a client keeps its records. Values are whatever `structuredClone` accepts, `CryptoKey` included. */
export interface Store {
  /** Clients with the same store name and server name share one connection, in all tabs of the origin. */
  readonly name: string;
  /** One value for each key, `undefined` where there is none. */
  getMany(keys: readonly string[]): Promise<readonly unknown[]>;
  /** Sets and removes, all or nothing. Keeps copies. */
  write(set: readonly (readonly [key: string, value: unknown])[], remove?: readonly string[]): Promise<void>;
  keys(): Promise<readonly string[]>;
}
