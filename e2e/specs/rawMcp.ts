/** MCP by hand: what a test does to the demo with nothing but `fetch`, so that no code of the app is in the way. */
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type * as register from '../../src/demo/register.ts';

/** Where a stream was left: what the next page needs to go on. */
export interface Position {
  readonly session: string;
  readonly lastEventId: string;
  /** The progress of each notification, in the order of arrival. */
  readonly ticks: number[];
  readonly result: unknown;
}

interface RawMcp {
  initialize(url: string): Promise<string>;
  /** Counts down, and follows the stream until so many ticks are there, to the result, or until it breaks. */
  call(url: string, session: string, args: object, untilTicks?: number): Promise<Position>;
  resume(url: string, session: string, lastEventId: string): Promise<Position>;
  /** The status that a request of this session gets. */
  status(url: string, session: string): Promise<number>;
}

declare global {
  interface Window {
    rawMcp: RawMcp;
    repriseDemo: typeof register;
  }
}

/** Makes `window.rawMcp` and the functions of src/demo/register.ts available in each page that is loaded. */
export async function installRawMcp(page: Page): Promise<void> {
  await page.addInitScript(defineRawMcp);
  await page.addInitScript({ content: await bundleRegister() });
}

/** As an init script, for the Content-Security-Policy of the page refuses any other. */
async function bundleRegister(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: 'src/demo/register.ts', formats: ['iife'], name: 'repriseDemo', fileName: 'register' },
    },
  });
  const first = Array.isArray(output) ? output[0] : output;
  if (!first || !('output' in first)) throw new Error('src/demo/register.ts was bundled to nothing.');
  return `${first.output[0].code};window.repriseDemo = repriseDemo;`;
}

function defineRawMcp(): void {
  const VERSION = '2025-11-25';
  let id = 0;

  const headers = (session?: string) => ({
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': VERSION }),
  });
  const post = (url: string, session: string | undefined, message: object) =>
    fetch(url, {
      method: 'POST',
      headers: headers(session),
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });

  const follow = async (session: string, response: Response, untilTicks = Infinity) => {
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    const ticks: number[] = [];
    let result: unknown;
    let lastEventId = '';
    let text = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    while (result === undefined && ticks.length < untilTicks) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
      if (done || value === undefined) break;
      text += value;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        lastEventId = /^id: ?(.*)$/m.exec(frame)?.[1] ?? lastEventId;
        const data = /^data: ?(\S.*)$/m.exec(frame)?.[1];
        if (data === undefined) continue;
        const message = JSON.parse(data) as {
          method?: string;
          params?: { progress: number };
          result?: unknown;
        };
        if (message.method === 'notifications/progress') ticks.push(message.params?.progress ?? NaN);
        if ('result' in message) result = message.result;
      }
    }
    return { session, lastEventId, ticks, result };
  };

  window.rawMcp = {
    async initialize(url) {
      const params = {
        protocolVersion: VERSION,
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      };
      const response = await post(url, undefined, { id: (id += 1), method: 'initialize', params });
      const session = response.headers.get('mcp-session-id') ?? '';
      await follow(session, response);
      await post(url, session, { method: 'notifications/initialized' });
      return session;
    },
    async call(url, session, args, untilTicks) {
      const params = { name: 'countdown', arguments: args, _meta: { progressToken: 'raw' } };
      const response = await post(url, session, { id: (id += 1), method: 'tools/call', params });
      return follow(session, response, untilTicks);
    },
    async resume(url, session, lastEventId) {
      for (;;) {
        const response = await fetch(url, { headers: { ...headers(session), 'last-event-id': lastEventId } });
        // The worker may not have noticed yet that the old page is gone.
        if (response.status !== 409) return follow(session, response);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async status(url, session) {
      return (await post(url, session, { id: (id += 1), method: 'ping' })).status;
    },
  };
}
