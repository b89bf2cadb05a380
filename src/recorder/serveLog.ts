/** Carries out what comes over a channel, and reports what came of it: the other end is a `RemoteLog`. */
import { errorMessage } from '../base/format.ts';
import type { CoreExchange, LogCore } from './logCore.ts';
import type { Channel, Command, Order, Report } from './messages.ts';
import { StateChanges } from './stateChanges.ts';

export function serveLog(core: LogCore, channel: Channel<Report, Order>): void {
  const { log } = core;
  const changes = new StateChanges(log.state);
  const exchanges = new Map<number, CoreExchange>();

  log.folded.on(({ packed, transitions }) => {
    channel.post({ type: 'folded', change: changes.take(), packed, transitions });
  });
  core.stored.on(() => channel.post({ type: 'stored', segments: core.segments }));

  const perform = (command: Command): unknown => {
    switch (command.name) {
      case 'append':
        return log.appendAll(command.drafts);
      case 'begin-load':
        return log.beginLoad(command.reason, command.pageLeftAt);
      case 'adopt':
        return log.adopt(command.entries);
      case 'attach-result':
        log.attachResult(command.callId, command.message);
        return channel.post({ type: 'folded', change: changes.take(), packed: [], transitions: [] });
      case 'open-exchange':
        return void exchanges.set(command.exchange, core.openExchange(command.listens));
      case 'events':
        return exchanges.get(command.exchange)?.events(command.bytes, command.of);
      case 'record':
        return exchanges.get(command.exchange)?.record(command.frames, command.of);
      case 'close-exchange':
        return void exchanges.delete(command.exchange);
      case 'protect':
        return core.redactor.learn(command.learned);
      case 'write':
        return core.write(command.index);
      case 'free':
        return core.free(command.keepBytes);
      case 'fold':
        return undefined;
      case 'flush':
        return core.flushed();
      case 'forget-events':
        return core.forgetEvents();
      case 'recall-events':
        return core.recallEvents();
      case 'stop-writing':
        return core.stopWriting();
    }
  };

  const answer = async (id: number, work: () => unknown): Promise<void> => {
    try {
      channel.post({ type: 'answer', id, value: await work() });
    } catch (error) {
      channel.post({ type: 'failed', id, why: errorMessage(error) });
    }
  };

  channel.listen(({ id, command }) => {
    if (id === undefined) perform(command);
    else void answer(id, () => perform(command));
  });
}
