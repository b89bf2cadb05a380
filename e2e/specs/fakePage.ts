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

/** Runs in the browser. */
function client(): void {
  const query = new URLSearchParams(location.search);
  const url = query.get('server') ?? '/api/mcp';
  const fault = query.get('fault');
  const state = JSON.parse(localStorage.getItem('mcp') ?? '{}');
  const isReloaded = state.session !== undefined;
  const save = () => localStorage.setItem('mcp', JSON.stringify(state));
  const show = (text: string): void => {
    document.querySelector('output')!.textContent = text;
  };
  const headers = () => ({
    accept: 'application/json, text/event-stream',
    ...(state.session && { 'mcp-session-id': state.session }),
    ...(state.version &&
      !(fault === 'drops-version' && isReloaded) && { 'mcp-protocol-version': state.version }),
  });
  const post = (message: object) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers() },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const nextId = () => {
    if (fault === 'reuses-ids' && isReloaded) return (window as any).ids++;
    state.ids = (state.ids ?? 0) + 1;
    save();
    return state.ids;
  };
  (window as any).ids = 1;

  async function read(response: Response, mayStore: boolean): Promise<any> {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
      const frames = text.split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) {
        const id = /^id: ?(.*)$/m.exec(frame)?.[1];
        const data = /^data: ?(\S.*)$/m.exec(frame)?.[1];
        if (id !== undefined && mayStore) {
          state.cursor = id;
          save();
        }
        const message = data === undefined ? undefined : JSON.parse(data);
        if (message?.params?.progress !== undefined) show(`Progress ${message.params.progress}`);
        if (message?.id === state.open && !message.method) return message;
      }
    }
  }

  async function finish(response: Response, mayStore: boolean): Promise<void> {
    let message = await read(response, mayStore).catch(() => undefined);
    while (!message) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const resumed = await fetch(url, { headers: { ...headers(), 'last-event-id': state.cursor } }).catch(
        () => undefined,
      );
      if (resumed?.status === 404) return show('Report lost');
      if (resumed?.ok)
        message = await read(resumed, fault !== 'forgets-second-cursor').catch(() => undefined);
    }
    delete state.open;
    save();
    show('Report ready');
  }

  async function connect(): Promise<void> {
    const response = await post({
      id: nextId(),
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fake', version: '1' } },
    });
    state.session = response.headers.get('mcp-session-id');
    state.version = '2025-11-25';
    await response.text();
    save();
    await post({ method: 'notifications/initialized' });
  }

  async function run(): Promise<void> {
    state.open = nextId();
    save();
    const params = {
      name: 'countdown',
      arguments: { ticks: Number(query.get('ticks') ?? 30), intervalMs: 60 },
      _meta: { progressToken: 'p' },
    };
    await finish(await post({ id: state.open, method: 'tools/call', params }), true);
  }

  async function start(): Promise<void> {
    if (state.session === undefined || fault === 'initializes-again') {
      delete state.session;
      delete state.version;
      await connect();
    }
    show(`Connected`);
    if (isReloaded && fault === 'reuses-ids') await post({ id: nextId(), method: 'tools/list' });
    if (isReloaded && fault === 'calls-again') return run();
    if (
      isReloaded &&
      state.open !== undefined &&
      fault !== 'initializes-again' &&
      fault !== 'never-resumes'
    ) {
      show('Resuming');
      const response = await fetch(url, { headers: { ...headers(), 'last-event-id': state.cursor } });
      await finish(response, fault !== 'forgets-second-cursor');
    }
  }
  if (fault === 'deletes-on-unload')
    addEventListener(
      'pagehide',
      () => void fetch(url, { method: 'DELETE', headers: headers(), keepalive: true }),
    );
  document.querySelector('button')!.addEventListener('click', () => void run());
  void start();
}

const HTML = `<!doctype html><title>Fake</title><button>Run report</button><output></output><script>(${client.toString()})()</script>`;

export interface FakePage {
  readonly url: string;
  close(): Promise<void>;
}

export async function startFakePage(): Promise<FakePage> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(HTML);
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
