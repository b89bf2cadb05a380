/** A stock Firefox, by WebDriver BiDi: it speaks that itself, so no driver is needed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import type { Engine } from './engine.ts';
import { start } from './process.ts';

const COMMANDS = ['firefox-esr', 'firefox'];
/** No first-run pages, no requests of its own. */
const PREFERENCES = {
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.server': '',
};

export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'reprise-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const running = await start(COMMANDS, args, /WebDriver BiDi listening on (ws:\S+)/, { HOME: profile });
  const bidi = await Bidi.connect(`${running.match[1] ?? ''}/session`);
  const session = await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
  const tree = await bidi.send('browsingContext.getTree', {});
  const [first] = Array.isArray(tree['contexts']) ? tree['contexts'] : [];
  const context = stringField(first, 'context') ?? '';
  return {
    name: 'Firefox',
    version: stringField(objectField(session, 'capabilities'), 'browserVersion') ?? '',
    console: bidi.console,
    goto: async (url) =>
      void (await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })),
    reload: async () => void (await bidi.send('browsingContext.reload', { context, wait: 'interactive' })),
    run: (body) => bidi.run(context, body),
    async close() {
      await bidi.send('browser.close', {}).catch(() => undefined);
      await running.stop();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

class Bidi {
  readonly console: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: JsonObject) => void>();
  #lastId = 0;

  static async connect(url: string): Promise<Bidi> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return new Bidi(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const message: unknown = JSON.parse(String(data));
      if (isObject(message)) this.#take(message);
    };
  }

  async send(method: string, params: object): Promise<JsonObject> {
    const id = ++this.#lastId;
    const answer = await new Promise<JsonObject>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer['type'] === 'error') throw new Error(`${method}: ${stringField(answer, 'message') ?? ''}`);
    return objectField(answer, 'result') ?? {};
  }

  /** As JSON: the protocol's own form of values is another one. */
  async run<T>(context: string, body: string): Promise<T> {
    const answer = await this.send('script.callFunction', {
      functionDeclaration: `async () => JSON.stringify(await (async () => { ${body} })()) ?? 'null'`,
      target: { context },
      awaitPromise: true,
    });
    const failure = objectField(answer, 'exceptionDetails');
    if (failure) throw new Error(stringField(failure, 'text') ?? 'The script failed.');
    return JSON.parse(stringField(objectField(answer, 'result'), 'value') ?? 'null') as T;
  }

  #take(message: JsonObject): void {
    const { id } = message;
    if (typeof id === 'number') {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
      return;
    }
    const entry = objectField(message, 'params');
    const level = stringField(entry, 'level');
    if (level === 'error' || level === 'warn') this.console.push(stringField(entry, 'text') ?? '');
  }
}
