/** Harder ends than a reload: the tab is closed or dies, the browser goes, the network does, another tab takes over. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario } from '../context.ts';
import { judgeCall } from '../judge/judgeCall.ts';
import { startBlipProxy } from '../page/blipProxy.ts';
import { Inspector } from '../page/inspector.ts';
import { interrupt, observeToTheEnd, required, untilMiddle } from './interrupt.ts';

/** So long after its end, a call that runs a little slower than the control has ended too. */
const MARGIN_MS = 700;
const OFFLINE_MS = 1000;

const NEEDS = ['page', 'tool', 'session', 'event-ids', 'time'] as const;

export const finishWhileAway: Scenario = {
  name: 'finish-while-away',
  summary: 'the page is closed, and opened when the call is over',
  needs: NEEDS,
  run: (context) =>
    interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context);
      await interrupted.inspector.away(() => pause(interrupted.control.durationMs + MARGIN_MS));
      return undefined;
    }),
};

export const tabCrash: Scenario = {
  name: 'tab-crash',
  summary: 'the process of the tab dies, and another tab is opened',
  needs: NEEDS,
  run: (context) =>
    interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context);
      await interrupted.inspector.crash();
      return undefined;
    }),
};

export const networkBlip: Scenario = {
  name: 'network-blip',
  summary: `the network is away for ${OFFLINE_MS / 1000} s, the page stays`,
  needs: ['own-browser', ...NEEDS],
  async run(context) {
    const proxy = await startBlipProxy(context.site);
    try {
      return await interrupt({ ...context, open: () => context.open(proxy.url) }, async (interrupted) => {
        await untilMiddle(interrupted, context);
        const restore = proxy.cut();
        await pause(OFFLINE_MS);
        restore();
        return undefined;
      });
    } finally {
      await proxy.close();
    }
  },
};

export const secondTab: Scenario = {
  name: 'second-tab',
  summary: 'a second tab is opened, the first one closed: the second takes over',
  needs: NEEDS,
  run: (context) =>
    interrupt(context, async (interrupted) => {
      await untilMiddle(interrupted, context, 0.3);
      const second = await Inspector.open(interrupted.context, context.site, context);
      await second.untilReceived(interrupted.id, 1);
      await interrupted.inspector.page.close();
      return second;
    }),
};

export const browserRestart: Scenario = {
  name: 'browser-restart',
  summary: 'the browser is closed and opened again',
  needs: ['own-browser', ...NEEDS],
  async run(context) {
    const { control, tool } = required(context);
    const launch = await context.browser.persistent();
    const first = await launch();
    let id: string;
    try {
      const inspector = await Inspector.open(first, context.site, context);
      await inspector.connect(context.url, context.connectOptions);
      id = await inspector.call(tool.name, tool.args);
      await untilMiddle({ inspector, context: first, id, control }, context);
    } finally {
      await first.close();
    }
    const second = await launch();
    try {
      const inspector = await Inspector.open(second, context.site, context);
      return judgeCall(await observeToTheEnd(inspector, id, context, control), control);
    } finally {
      await second.close();
    }
  },
};
