/** Small texts that a tab keeps for itself. Where the browser keeps nothing, they live as long as the page. */
export interface KeptText {
  read(key: string): string | undefined;
  /** Without a text, the key is removed. */
  write(key: string, text: string | undefined): void;
  keys(): readonly string[];
}

/** The storage is asked for by a function: where it is blocked, already naming it throws. */
export function keepText(storage: () => Storage): KeptText {
  const inMemory = new Map<string, string>();
  return {
    read(key) {
      const unsaved = inMemory.get(key);
      if (unsaved !== undefined) return unsaved;
      try {
        return storage().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    keys() {
      try {
        return [...Object.keys(storage()), ...inMemory.keys()];
      } catch {
        return [...inMemory.keys()];
      }
    },
    write(key, text) {
      inMemory.delete(key);
      try {
        if (text === undefined) storage().removeItem(key);
        else storage().setItem(key, text);
      } catch {
        if (text !== undefined) inMemory.set(key, text);
      }
    },
  };
}
