/** What a tab, or the browser, keeps of servers had their names in its keys; now it has their IDs. */
import { PARTED, WHOLE } from './forgetKept.ts';
import type { KeptText } from './keptText.ts';

/** @param formerIds the id of each server by the name that an earlier version stored it by */
export function upgradeKept(
  kept: KeptText,
  formerIds: ReadonlyMap<string, string>,
  selectedKey: string,
): void {
  for (const [formerId, server] of formerIds) {
    const id = encodeURIComponent(server);
    for (const kind of WHOLE) rename(kept, `reprise.${kind}/${formerId}`, `reprise.${kind}/${id}`);
    for (const kind of PARTED) {
      const prefix = `reprise.${kind}/${encodeURIComponent(formerId)}/`;
      for (const key of kept.keys().filter((one) => one.startsWith(prefix))) {
        rename(kept, key, `reprise.${kind}/${id}/${key.slice(prefix.length)}`);
      }
    }
  }
  const selected = kept.read(selectedKey);
  const id = selected === undefined ? undefined : formerIds.get(selected);
  if (id !== undefined) kept.write(selectedKey, id);
}

/** A tab of the earlier version may still write the old key: it never replaces what is there by now. */
function rename(kept: KeptText, from: string, to: string): void {
  const text = kept.read(from);
  if (text === undefined || kept.read(to) !== undefined) return;
  kept.write(to, text);
  kept.write(from, undefined);
}
