/** A small page that is an MCP client, written by hand: right in everything, or wrong in one thing. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What the page does wrong. */
export type PageFault =
  | 'initializes-again'
  | 'calls-again'
  | 'deletes-on-unload'
  | 'drops-version'
  | 'forgets-second-cursor'
  | 'reuses-ids'
  | 'never-resumes';

/** What the page keeps in localStorage. */
interface Kept {
  session?: string | undefined;
  version?: string | undefined;
  cursor?: string;
  /** The request ID of the call that is open. */
  open?: number | undefined;
  ids?: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly progress?: number };
}

/** Runs in the browser. */
function client(tool: string): void {
  const query = new URLSearchParams(location.search);
  const url = query.get('server') ?? '/api/mcp';
  const fault = query.get('fault');
  const kept = JSON.parse(localStorage.getItem('mcp') ?? '{}') as Kept;
  const isReloaded = kept.session !== undefined;
  let ownIds = 0;
  const save = (): void => localStorage.setItem('mcp', JSON.stringify(kept));
  const show = (text: string): void => document.querySelector('output')?.replaceChildren(text);
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  function headers(): Record<string, string> {
    const found: Record<string, string> = { accept: 'application/json, text/event-stream' };
    if (kept.session) found['mcp-session-id'] = kept.session;
    if (kept.version && !(fault === 'drops-version' && isReloaded))
      found['mcp-protocol-version'] = kept.version;
    return found;
  }

  const post = (message: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers() },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });

  const resume = (): Promise<Response> =>
    fetch(url, { headers: { ...headers(), 'last-event-id': kept.cursor ?? '' } });

  function nextId(): number {
    if (fault === 'reuses-ids' && isReloaded) return (ownIds += 1);
    kept.ids = (kept.ids ?? 0) + 1;
    save();
    return kept.ids;
  }

  /** Resolves with the response to the open call, or with nothing at the end of the stream. */
  async function read(response: Response, mayStore: boolean): Promise<Message | undefined> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value = '' } = (await reader?.read()) ?? { done: true };
      if (done) return undefined;
      const frames = (text + value).split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const id = /^id: ?(.*)$/m.exec(frame)?.[1];
        const data = /^data: ?(\S.*)$/m.exec(frame)?.[1];
        if (id !== undefined && mayStore) {
          kept.cursor = id;
          save();
        }
        const message = data === undefined ? {} : (JSON.parse(data) as Message);
        if (message.params?.progress !== undefined) show(`Progress ${message.params.progress}`);
        if (message.id === kept.open && message.id !== undefined && !message.method) return message;
      }
    }
  }

  async function finish(first: Response, mayStore: boolean): Promise<void> {
    let message = await read(first, mayStore).catch(() => undefined);
    while (!message) {
      await sleep(100);
      const resumed = await resume().catch(() => undefined);
      if (resumed?.status === 404) return show('Report lost');
      if (resumed?.ok)
        message = await read(resumed, fault !== 'forgets-second-cursor').catch(() => undefined);
    }
    delete kept.open;
    save();
    show('Report ready');
  }

  async function connect(): Promise<void> {
    const clientInfo = { name: 'fake', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const response = await post({ id: nextId(), method: 'initialize', params });
    kept.session = response.headers.get('mcp-session-id') ?? undefined;
    kept.version = '2025-11-25';
    await response.text();
    save();
    await post({ method: 'notifications/initialized' });
  }

  async function run(): Promise<void> {
    kept.open = nextId();
    save();
    const args = tool === 'countdown' ? { ticks: Number(query.get('ticks') ?? 30), intervalMs: 60 } : {};
    const params = { name: tool, arguments: args, _meta: { progressToken: 'p' } };
    await finish(await post({ id: kept.open, method: 'tools/call', params }), true);
  }

  async function start(): Promise<void> {
    if (kept.session === undefined || fault === 'initializes-again') {
      delete kept.session;
      delete kept.version;
      await connect();
    }
    const button = document.querySelector('button');
    button?.addEventListener('click', () => void run());
    button?.removeAttribute('disabled');
    if (!isReloaded || fault === 'initializes-again' || fault === 'never-resumes') return;
    if (fault === 'reuses-ids') await post({ id: nextId(), method: 'tools/list' });
    if (fault === 'calls-again') return run();
    if (kept.open !== undefined) await finish(await resume(), fault !== 'forgets-second-cursor');
  }
  if (fault === 'deletes-on-unload')
    addEventListener(
      'pagehide',
      () => void fetch(url, { method: 'DELETE', headers: headers(), keepalive: true }),
    );
  void start();
}

/** tsx keeps the names of functions by a helper, which their source doesn't bring along. */
const NAME_HELPER = 'const __name = (f) => f;';

const htmlFor = (tool: string): string =>
  `<!doctype html><title>Fake</title><button disabled>Run report</button><output></output><script>${NAME_HELPER}(${client.toString()})('${tool}')</script>`;

export interface FakePage {
  readonly url: string;
  close(): Promise<void>;
}

/** @param tool that the button calls */
export async function startFakePage(tool = 'countdown'): Promise<FakePage> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(htmlFor(tool));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
