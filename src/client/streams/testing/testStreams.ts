/** For tests: the streams of a page with a real log and budget, over a wire that answers when the test says so. */
import type { Blocked } from '../../../auth/login.ts';
import { Log } from '../../../log/log.ts';
import { ConnectionBudget } from '../../../wire/connectionBudget.ts';
import type { SessionHealth } from '../../exchange/sessionCheck.ts';
import type { StreamConnection } from '../../exchange/streamConnection.ts';
import { StillClock } from '../../testing/stillClock.ts';
import type { LinkEvent } from '../linkEvent.ts';
import { Streams } from '../streams.ts';
import type { StreamsOptions } from '../streamsOptions.ts';

export class TestStreams implements StreamsOptions {
  readonly clock = new StillClock();
  readonly log = new Log('s', this.clock);
  readonly budget = new ConnectionBudget(this.clock);
  readonly events: LinkEvent[] = [];
  /** The keys of what was posted, and of what a GET was made for. */
  readonly sent: string[] = [];
  readonly gets: string[] = [];
  hasSession = true;
  closeCancels = false;
  blocked: Blocked | undefined;
  health: SessionHealth = { name: 'alive' };
  /** How often the session was checked. */
  checks = 0;
  readonly wire = this;
  readonly streams = new Streams(this);

  readonly emit = (event: LinkEvent): void => void this.events.push(event);

  openStream(key: string): Promise<void> {
    this.gets.push(key);
    return Promise.resolve();
  }

  checkSession(): Promise<SessionHealth> {
    this.checks += 1;
    return Promise.resolve(this.health);
  }

  /** A call whose intent is in the log. */
  begins(callId: string): void {
    const change = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;
    this.log.append({ body: { kind: 'call', callId, change } });
  }

  /** And its POST. */
  begin(callId: string): void {
    this.begins(callId);
    void this.streams.post(callId, callId, () => Promise.resolve(void this.sent.push(callId)));
  }

  /** And its response head. */
  async open(callId: string): Promise<StreamConnection> {
    this.begin(callId);
    await this.clock.to(this.clock.time);
    const connection = this.streams.posting(callId, callId);
    this.streams.opened(connection, false);
    return connection;
  }

  namesEventIds(stream: string, eventId: string): void {
    this.log.append({ body: { kind: 'position', stream, callId: stream, eventId } });
  }

  /** @returns whether the browser's connection was let go */
  attach(connection: StreamConnection): () => boolean {
    let isReleased = false;
    this.streams.attach(connection, { release: () => (isReleased = true) });
    return () => isReleased;
  }

  call(callId: string): string | undefined {
    return this.log.state.calls.get(callId)?.name;
  }

  /** How streams ended, as the log has it. */
  ends(): readonly string[] {
    return this.log.tail.flatMap((entry) =>
      entry.kind === 'stream-end' ? [`${entry.how} ${entry.stream}`] : [],
    );
  }
}
