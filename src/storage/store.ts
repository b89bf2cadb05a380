/** Where records are kept. One contract suite runs against every implementation. */
export interface Store {
  get(key: string): Promise<unknown>;
  getMany(keys: readonly string[]): Promise<readonly unknown[]>;
  /** All or nothing: one transaction. */
  setMany(records: readonly (readonly [key: string, value: unknown])[]): Promise<void>;
  delMany(keys: readonly string[]): Promise<void>;
  keys(): Promise<readonly string[]>;
}
