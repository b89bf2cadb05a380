/** Every profile, in the order of `--list`. */
import type { Profile } from './profile.ts';
import { resumable } from './resumable.ts';

export const PROFILES: readonly Profile[] = [resumable];

export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}
