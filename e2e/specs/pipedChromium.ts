/**
 * A Chromium whose driver can let go of a tab, by DevTools over a pipe. Playwright is attached to every tab, and Chromium
 * discards none of those.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Target {
  readonly targetId: string;
  readonly url: string;
}

export class PipedChromium {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastId = 0;

  private constructor(process: ChildProcess, profile: string) {
    this.#process = process;
    this.#profile = profile;
    let text = '';
    (process.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (text + chunk).split('\0');
      text = messages.pop() ?? '';
      for (const message of messages) this.#hear(JSON.parse(message) as Reply);
    });
  }

  static async start(path: string): Promise<PipedChromium> {
    const profile = await mkdtemp(join(tmpdir(), 'reprise-piped-'));
    // `chrome://discards` is one of the pages that Chromium shows only to those who ask for them.
    await writeFile(join(profile, 'Local State'), JSON.stringify({ internal_only_uis_enabled: true }));
    const args = ['--headless', '--no-sandbox', '--no-first-run', '--remote-debugging-pipe'];
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
    const child = spawn(path, [...args, `--user-data-dir=${profile}`, 'about:blank'], { stdio: [...stdio] });
    return new PipedChromium(child, profile);
  }

  async open(url: string): Promise<string> {
    return ((await this.#send('Target.createTarget', { url })) as Target).targetId;
  }

  async tabsAt(url: string): Promise<readonly string[]> {
    const { targetInfos } = (await this.#send('Target.getTargets')) as { targetInfos: Target[] };
    return targetInfos.filter((one) => one.url === url).map(({ targetId }) => targetId);
  }

  async activate(targetId: string): Promise<void> {
    await this.#send('Target.activateTarget', { targetId });
  }

  /** Attached for this one look. Undefined where the page isn't there, or throws. */
  async look(targetId: string, expression: string): Promise<unknown> {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const attached = await this.#send('Target.attachToTarget', { targetId, flatten: true });
    const { sessionId } = attached as { sessionId: string };
    try {
      // A page that is just being loaded has nothing to look at.
      const reply = await this.#send('Runtime.evaluate', params, sessionId).catch(() => undefined);
      return (reply as { result?: { value?: unknown } } | undefined)?.result?.value;
    } finally {
      await this.#send('Target.detachFromTarget', { sessionId });
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    const id = (this.#lastId += 1);
    const message = JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      );
      (this.#process.stdio[3] as Writable).write(`${message}\0`);
    });
  }

  #hear(reply: Reply): void {
    if (reply.id === undefined) return;
    this.#waiting.get(reply.id)?.(reply);
    this.#waiting.delete(reply.id);
  }
}
