/** Every scenario, in the order in which they run. */
import type { Scenario } from '../context.ts';
import { appCallsAgain, appCsp, appLostCall, appReload, appReloadMidCall, appRenders } from './apps.ts';
import { control } from './control.ts';
import { cors } from './cors.ts';
import { endedSession } from './endedSession.ts';
import { browserRestart, finishWhileAway, networkBlip, secondTab, tabCrash } from './leavings.ts';
import { pendingQuestion } from './pendingQuestion.ts';
import {
  concurrentCalls,
  reloadAfterResult,
  reloadBeforeFirstEvent,
  reloadMidCall,
  reloadTwice,
} from './reloads.ts';
import { repeatedRequest } from './repeatedRequest.ts';
import { reloadCancels, reloadWithQuestion, reloadWithTask } from './stateless.ts';
import { sessionIsolation, standaloneStream, streamIsolation, unknownCursor } from './wire.ts';

export const SCENARIOS: readonly Scenario[] = [
  cors,
  control,
  reloadMidCall,
  reloadTwice,
  reloadBeforeFirstEvent,
  reloadAfterResult,
  finishWhileAway,
  concurrentCalls,
  pendingQuestion,
  reloadWithTask,
  reloadWithQuestion,
  reloadCancels,
  networkBlip,
  tabCrash,
  browserRestart,
  secondTab,
  repeatedRequest,
  endedSession,
  unknownCursor,
  streamIsolation,
  sessionIsolation,
  standaloneStream,
  appRenders,
  appReload,
  appReloadMidCall,
  appLostCall,
  appCallsAgain,
  appCsp,
];
