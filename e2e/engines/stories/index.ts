/** All stories, in the order of the table. */
import { backAndForward, browserKilled, tabClosed, tabCrash, twoTabs } from './deaths.ts';
import { burst, doctor } from './load.ts';
import { demo, doubleReload, endsWhileAway, manyCalls, question, reloads } from './reloads.ts';
import type { Story } from './story.ts';

export const STORIES: readonly Story[] = [
  demo,
  reloads,
  endsWhileAway,
  doubleReload,
  manyCalls,
  question,
  tabClosed,
  tabCrash,
  browserKilled,
  twoTabs,
  backAndForward,
  burst,
  doctor,
];
