/** Resources as a tree, where their URIs make one: `file:///logs/a.txt` is below `file:///logs`. */

export type TreeRow =
  | {
      readonly kind: 'folder';
      readonly id: string;
      readonly depth: number;
      readonly name: string;
      readonly count: number;
    }
  | { readonly kind: 'item'; readonly key: string; readonly depth: number };

interface Folder {
  readonly id: string;
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly uris: string[];
}

/** As many as a flat list shows without scrolling need no tree. */
const LEAST = 8;
/** A tree of one folder, or of a folder for each resource, says nothing. */
const LEAST_PER_FOLDER = 2;

/** @returns undefined where a flat list is as good */
export function resourceTree(
  uris: readonly string[],
  isOpen: (folder: string) => boolean,
): readonly TreeRow[] | undefined {
  if (uris.length < LEAST) return undefined;
  const root: Folder = { id: '', name: '', folders: new Map(), uris: [] };
  for (const uri of uris) place(root, uri);
  const folders = [...root.folders.values()].reduce((sum, one) => sum + countFolders(one), 0);
  if (folders < 2 || uris.length / folders < LEAST_PER_FOLDER) return undefined;
  return rowsOf(root, 0, isOpen);
}

function place(root: Folder, uri: string): void {
  let folder = root;
  for (const name of foldersOf(uri)) {
    const id = `${folder.id}${name}`;
    const next = folder.folders.get(name) ?? { id, name, folders: new Map(), uris: [] };
    folder.folders.set(name, next);
    folder = next;
  }
  folder.uris.push(uri);
}

/** `file:///logs/app/a.txt` → `file:///`, `logs/`, `app/` */
function foldersOf(uri: string): readonly string[] {
  const [, scheme = '', rest = ''] = /^([a-z][\w+.-]*:\/*)(.*)$/is.exec(uri) ?? [];
  const [path = ''] = rest.split(/[?#]/, 1);
  const parts = path.split('/').slice(0, -1);
  return scheme === '' ? [] : [scheme, ...parts.map((part) => `${part}/`)];
}

function countFolders({ folders, uris }: Folder): number {
  let count = uris.length > 0 ? 1 : 0;
  for (const folder of folders.values()) count += countFolders(folder);
  return count;
}

function rowsOf(folder: Folder, depth: number, isOpen: (id: string) => boolean): readonly TreeRow[] {
  const below = [...folder.folders.values()].map(joined).flatMap((one): readonly TreeRow[] => {
    const row = { kind: 'folder', id: one.id, depth, name: one.name, count: countItems(one) } as const;
    return isOpen(one.id) ? [row, ...rowsOf(one, depth + 1, isOpen)] : [row];
  });
  return [...below, ...folder.uris.map((key) => ({ kind: 'item', key, depth }) as const)];
}

/** Folders that hold nothing but one other are one row: `file:///srv/data/`. */
function joined(folder: Folder): Folder {
  const [only] = folder.folders.values();
  if (!only || folder.folders.size > 1 || folder.uris.length > 0) return folder;
  const inner = joined(only);
  return { ...inner, name: `${folder.name}${inner.name}` };
}

function countItems({ folders, uris }: Folder): number {
  return [...folders.values()].reduce((sum, one) => sum + countItems(one), uris.length);
}
