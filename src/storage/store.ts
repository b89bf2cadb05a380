/** Where records are kept. One contract suite runs against every implementation. */
export type Records = readonly (readonly [key: string, value: unknown])[];

export interface Store {
  get(key: string): Promise<unknown>;
  getMany(keys: readonly string[]): Promise<readonly unknown[]>;
  /** Sets and removes, all or nothing: one transaction. */
  write(set: Records, remove?: readonly string[]): Promise<void>;
  keys(): Promise<readonly string[]>;
}
