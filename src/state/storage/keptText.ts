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

/** What was kept can be read, and what is written stays in memory: it must not change what is kept. */
export function layeredText(below: KeptText): KeptText {
  const written = new Map<string, string | undefined>();
  return {
    read: (key) => (written.has(key) ? written.get(key) : below.read(key)),
    write: (key, text) => void written.set(key, text),
    keys: () =>
      [...new Set([...below.keys(), ...written.keys()])].filter(
        (key) => !written.has(key) || written.get(key) !== undefined,
      ),
  };
}

/** For a page that keeps nothing. */
export function memoryText(): KeptText {
  return layeredText({ read: () => undefined, write: () => undefined, keys: () => [] });
}
