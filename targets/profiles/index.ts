/** Every profile, in the order of `--list`. */
import {
  app,
  appCallsAgain,
  appForgetful,
  appHostile,
  appNeedsStorage,
  appNoView,
  appSilent,
  appUndeclared,
} from './app.ts';
import { bad400 } from './bad400.ts';
import { buffers } from './buffers.ts';
import { corsNoCursor } from './corsNoCursor.ts';
import { deafGet } from './deafGet.ts';
import { bothEras, dual } from './dual.ts';
import { forgets } from './forgets.ts';
import { fresh404 } from './fresh404.ts';
import { get400, get404 } from './get404.ts';
import { getOnce } from './getOnce.ts';
import { hiddenSession } from './hiddenSession.ts';
import { json } from './json.ts';
import { lateHead } from './lateHead.ts';
import { lateResult } from './lateResult.ts';
import { leaky } from './leaky.ts';
import { mixesStreams } from './mixesStreams.ts';
import { modern } from './modern.ts';
import { modernTasks } from './modernTasks.ts';
import { noCors } from './noCors.ts';
import { noPriming } from './noPriming.ts';
import { noReplay } from './noReplay.ts';
import { oauth } from './oauth.ts';
import { overReplay } from './overReplay.ts';
import { pings } from './pings.ts';
import { polling } from './polling.ts';
import type { Profile } from './profile.ts';
import { progressOnGet } from './progressOnGet.ts';
import { recreate } from './recreate.ts';
import { resumable } from './resumable.ts';
import { runsTwice } from './runsTwice.ts';
import { silentJson } from './silentJson.ts';
import { skills } from './skills.ts';
import { slow409 } from './slow409.ts';
import { sse } from './sse.ts';
import { stalls } from './stalls.ts';
import { stateless } from './stateless.ts';
import { staysOpen } from './staysOpen.ts';
import { tasks2025 } from './tasks2025.ts';
import { underscore } from './underscore.ts';

export const PROFILES: readonly Profile[] = [
  resumable,
  noReplay,
  noPriming,
  stateless,
  json,
  recreate,
  fresh404,
  bad400,
  overReplay,
  underscore,
  polling,
  slow409,
  stalls,
  staysOpen,
  getOnce,
  pings,
  progressOnGet,
  leaky,
  noCors,
  hiddenSession,
  oauth,
  modern,
  modernTasks,
  dual,
  tasks2025,
  sse,
  bothEras,
  runsTwice,
  deafGet,
  corsNoCursor,
  get404,
  get400,
  forgets,
  lateResult,
  mixesStreams,
  lateHead,
  buffers,
  silentJson,
  skills,
  app,
  appCallsAgain,
  appUndeclared,
  appNeedsStorage,
  appSilent,
  appForgetful,
  appHostile,
  appNoView,
];

export function findProfile(name: string): Profile | undefined {
  return PROFILES.find((profile) => profile.name === name);
}
