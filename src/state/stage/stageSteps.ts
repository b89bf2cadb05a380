/** Where the guided demo is. Pure: a caption follows what has happened, and going back takes nothing back. */

export interface StagePlace {
  /** The step whose caption is shown. */
  readonly at: number;
  /** The furthest step that has happened. */
  readonly reached: number;
  /** Its act was begun, and has not happened yet: the page load that it was begun in. */
  readonly awaits?: { readonly load: number };
  /** When this run began: calls before that are not part of it. */
  readonly since: number;
}

export type Pressed =
  /** The act of this step is due. */
  | { readonly name: 'act' }
  | { readonly name: 'show'; readonly place: StagePlace }
  | { readonly name: 'nothing' };

export const begin = (since: number): StagePlace => ({ at: 0, reached: 0, since });

/** The key for the next step: what has happened is shown again, and not done again. */
export function next(place: StagePlace): Pressed {
  if (place.at < place.reached) return { name: 'show', place: { ...place, at: place.at + 1 } };
  return place.awaits ? { name: 'nothing' } : { name: 'act' };
}

export function back(place: StagePlace): StagePlace {
  return { ...place, at: Math.max(0, place.at - 1) };
}

export function beginAct(place: StagePlace, load: number): StagePlace {
  return { ...place, awaits: { load } };
}

/** It has happened: the next caption is true now. */
export function arrive(place: StagePlace, steps: number): StagePlace {
  const { awaits, ...rest } = place;
  if (!awaits) return place;
  const reached = Math.min(steps - 1, place.reached + 1);
  return { ...rest, at: reached, reached };
}

/** It didn't happen, and can be tried again. */
export function giveUp({ awaits: _, ...place }: StagePlace): StagePlace {
  return place;
}

/** What the page knows of the demo. */
export interface Facts {
  readonly isConnected: boolean;
  readonly load: number;
  /** Messages of the newest call of this run; none without a call. */
  readonly received: number;
  readonly isOpen: boolean;
  /** The newest call was resumed by a page load after the one that it began in. */
  readonly isResumed: boolean;
  readonly isAsked: boolean;
  readonly isLost: boolean;
}

/** Has the act of a step happened? @param step the number of the step that it leads to */
export function hasHappened(step: number, facts: Facts, begunIn: number): boolean {
  const { isConnected, load, received, isOpen, isResumed, isAsked, isLost } = facts;
  switch (step) {
    case 1:
      return isConnected;
    case 2:
      return received > 0;
    case 3:
      return load > begunIn && isConnected && isResumed;
    case 4:
      return isAsked;
    case 5:
      return load > begunIn && isConnected && isAsked;
    case 6:
      return !isAsked && !isOpen;
    case 7:
      return isLost;
    default:
      return true;
  }
}
