/**
 * Both eras at one address: sessions for clients that send `initialize`, 2026-07-28 for those that do not. The controls
 * `era-session`, `era-stateless` and `era-both` say which of them it speaks from now on, as an upgrade would.
 */
import { MODERN_TOOLS } from '../core/tools.ts';
import type { Profile } from './profile.ts';

export const dual: Profile = {
  name: 'dual',
  summary: 'sessions with replay and stateless 2026-07-28 at one URL',
  options: () => ({ era: 'both', extraTools: MODERN_TOOLS }),
};

/** A second name, for those who look for what it is. */
export const bothEras: Profile = { ...dual, name: 'both-eras' };
