/** The first of two calls that are compared, for each server. */
import { SvelteMap } from 'svelte/reactivity';

const held = new SvelteMap<string, number>();

export const heldCall = {
  of: (server: string): number | undefined => held.get(server),
  hold(server: string, seq: number | undefined): void {
    if (seq === undefined) held.delete(server);
    else held.set(server, seq);
  },
};
