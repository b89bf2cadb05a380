/** Harder ends than a reload: the tab is closed or dies, the browser goes, the network does, another tab takes over. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../context.ts';
import { msUntilOver } from '../moment.ts';
import { Inspector } from '../page/inspector.ts';
import {
  interrupt,
  judgeTries,
  newAbsence,
  observeToTheEnd,
  required,
  throughProxy,
  untilMiddle,
  type Leaving,
} from './interrupt.ts';

const NEEDS = ['page', 'tool', 'session', 'event-ids', 'time'] as const;

export const finishWhileAway: Scenario = {
  name: 'finish-while-away',
  summary: 'closes the page and reopens it after the call has finished',
  needs: NEEDS,
  interrupts: true,
  run: (context) => {
    const happen = async (interrupted: Leaving): Promise<undefined> => {
      await untilMiddle(interrupted, context);
      const { inspector, id, control, startedAt } = interrupted;
      const { received } = await inspector.callNamed(id);
      const leftMs = msUntilOver(control, { received, elapsedMs: Date.now() - startedAt });
      const missing = interrupted.absence.begin();
      await inspector.away(async () => {
        await Promise.all([missing(), pause(leftMs)]);
      });
      return undefined;
    };
    return interrupt(context, happen, { aim: 'back-after-end' });
  },
};

export const tabCrash: Scenario = {
  name: 'tab-crash',
  summary: 'crashes the tab and opens a new one',
  needs: ['crash', ...NEEDS],
  interrupts: true,
  run: (context) =>
    interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context);
      await interrupted.inspector.crash(interrupted.absence.begin());
      return undefined;
    }),
};

export const networkBlip: Scenario = {
  name: 'network-blip',
  summary: 'goes offline during a call without reloading',
  needs: ['own-browser', ...NEEDS],
  interrupts: true,
  run: (context) =>
    interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context);
      const missing = interrupted.absence.begin();
      const restore = interrupted.proxy?.cut();
      await missing();
      restore?.();
      return undefined;
    }),
};

export const secondTab: Scenario = {
  name: 'second-tab',
  summary: 'opens a second tab and closes the first',
  needs: NEEDS,
  interrupts: true,
  run: (context) =>
    judgeTries(context, ({ pace, patience }) =>
      throughProxy(context, async (proxy) => {
        const { control, tool } = required(context);
        const absence = newAbsence(context, proxy, patience);
        const { inspector, context: tabs, sessionId } = await context.open(proxy?.url);
        try {
          // Before the call: on a busy machine, a tab takes longer to open than a short call to end.
          const second = await Inspector.open(tabs, context.site, context);
          const id = await inspector.call(tool.name, tool.args);
          const left = sessionId();
          await untilMiddle({ inspector, context: tabs, id, control, pace }, context, 0.3);
          await second.untilKnown(id);
          const missing = absence.begin();
          await inspector.page.close();
          await missing();
          return { calls: [await observeToTheEnd(second, id, context, control)], absence, sessionId: left };
        } finally {
          await context.close(tabs);
        }
      }),
    ),
};

export const browserRestart: Scenario = {
  name: 'browser-restart',
  summary: 'restarts the browser',
  needs: ['own-browser', ...NEEDS],
  interrupts: true,
  run: (context) =>
    judgeTries(context, ({ pace, patience }) =>
      throughProxy(context, async (proxy) => {
        const { control, tool } = required(context);
        const absence = newAbsence(context, proxy, patience);
        const launch = await context.browser.persistent(proxy?.url);
        const first = await launch();
        let id: string;
        let sessionId: string | undefined;
        let missing: () => Promise<void>;
        try {
          const opened = await context.openIn(first);
          id = await opened.inspector.call(tool.name, tool.args);
          sessionId = opened.sessionId();
          await untilMiddle({ ...opened, id, control, pace }, context);
          missing = absence.begin();
        } finally {
          await context.close(first);
        }
        const second = await launch();
        try {
          await missing();
          const inspector = await Inspector.open(second, context.site, context);
          return { calls: [await observeToTheEnd(inspector, id, context, control)], absence, sessionId };
        } finally {
          await context.close(second);
        }
      }),
    ),
};
