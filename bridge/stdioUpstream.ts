/** A server behind stdin and stdout: one process for one session, a message in each line. */
import type { BridgeProcess } from '../src/base/bridgeContract.ts';
import { Lines } from './lines.ts';
import { messagesIn } from './messagesIn.ts';
import { ProcessGroup, type Exit, type Program } from './processGroup.ts';
import { SkippedOutput } from './skippedOutput.ts';
import { StderrLog } from './stderrLog.ts';
import type { Outgoing, Upstream, UpstreamEvents, UpstreamFailure, UpstreamStatus } from './upstream.ts';

export interface StdioOptions {
  readonly program: Program;
  /** A longer line on stdout ends the process. */
  readonly maxMessageBytes: number;
}

const MAX_STDERR_LINE_BYTES = 1024 * 1024;

export class StdioUpstream implements Upstream {
  readonly #options: StdioOptions;
  readonly #events: UpstreamEvents;
  readonly #group: ProcessGroup;
  readonly #stderr = new StderrLog();
  readonly #skipped = new SkippedOutput();
  #state: BridgeProcess;
  /** Why the bridge itself ended the process. */
  #reason: string | undefined;

  constructor(options: StdioOptions, events: UpstreamEvents) {
    this.#options = options;
    this.#events = events;
    this.#group = new ProcessGroup(options.program);
    this.#state = { name: 'running', pid: this.#group.pid ?? 0 };
    const stdout = new Lines({
      maxBytes: options.maxMessageBytes,
      onLine: (line) => this.#read(line),
      onTooLong: () => this.#refuseLine(),
    });
    const stderr = new Lines({
      maxBytes: MAX_STDERR_LINE_BYTES,
      onLine: (line) => this.#readStderr(line),
      onTooLong: () => this.#readStderr('(a line of more than 1 MB; the rest is not shown)'),
    });
    this.#group.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    this.#group.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    void this.#group.exited.then((exit) => {
      stdout.end();
      stderr.end();
      this.#end(exit);
    });
  }

  async send({ texts }: Outgoing): Promise<undefined> {
    for (const text of texts) this.#group.stdin.write(`${text}\n`);
  }

  status(): UpstreamStatus {
    return { process: this.#state, stderr: this.#stderr.lines, skipped: this.#skipped.kinds };
  }

  async close(now = false): Promise<void> {
    await (now ? this.#group.kill() : this.#group.end());
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    const whole = messagesIn(line);
    // Output without a line feed stands before the message that follows it.
    const start = whole.length > 0 ? 0 : line.search(/[[{]/);
    const found = start > 0 ? messagesIn(line.slice(start)) : whole;
    const skipped = found.length > 0 ? line.slice(0, start) : line;
    if (skipped.trim() !== '') this.#events.onSkipped(this.#skipped.add(skipped));
    for (const { text, message } of found) this.#events.onMessage(text, message);
  }

  #readStderr(line: string): void {
    this.#stderr.add(line);
    this.#events.onStatus();
  }

  #refuseLine(): void {
    const { maxMessageBytes } = this.#options;
    this.#reason = `The server process wrote a line of more than ${maxMessageBytes} bytes (--max-message), so the bridge ended it.`;
    void this.close(true);
  }

  #end(exit: Exit): void {
    const { exitCode, signal } = exit;
    this.#state = { name: 'exited', pid: this.#group.pid ?? 0, exitCode, signal };
    const failure: UpstreamFailure = {
      message: this.#reason ?? describeExit(exit),
      data: { bridge: true, exitCode, signal, stderr: this.#stderr.tail },
    };
    this.#events.onEnd(failure);
    this.#events.onStatus();
    // Children that it left behind.
    void this.#group.end();
  }
}

function describeExit({ exitCode, signal, error }: Exit): string {
  if (error !== undefined) return `Can't start the server process: ${error}`;
  if (signal !== null) return `The server process was ended by ${signal}.`;
  return `The server process exited with code ${exitCode ?? 'unknown'}.`;
}
