/** Where records are kept. One contract suite runs against every implementation. */
export type Records = readonly (readonly [key: string, value: unknown])[];

/** What a disk must be able to do. */
export interface BasicStore {
  getMany(keys: readonly string[]): Promise<readonly unknown[]>;
  /** Sets and removes, all or nothing: one transaction. */
  write(set: Records, remove?: readonly string[]): Promise<void>;
  keys(): Promise<readonly string[]>;
}

export interface Store extends BasicStore {
  get(key: string): Promise<unknown>;
}
