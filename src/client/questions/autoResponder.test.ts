import { describe, expect, it } from 'vitest';
import { testLog } from '../../recorder/testing/testLog.ts';
import { AutoResponder } from './autoResponder.ts';
import { CurrentPreferences } from '../settings/currentPreferences.ts';
import { NO_PREFERENCES } from '../settings/preferences.ts';
import { DEFAULT_RULES } from '../settings/rules.ts';
import { StillClock } from '../testing/stillClock.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';

function setUp() {
  const clock = new StillClock();
  const log = testLog(clock);
  const sent: string[] = [];
  const link = { canReply: true };
  const sending = new Set<string>();
  const preferences = new CurrentPreferences(NO_PREFERENCES, () => Promise.resolve());
  const responder = new AutoResponder({
    log,
    clock,
    preferences,
    link,
    questions: {
      isSending: (id) => sending.has(id),
      replyByItself: async ({ id }, { reason }) => {
        sent.push(`${id}: ${reasonText(reason)}`);
        log.append({ body: { kind: 'question', requestId: id, change: { name: 'answered', reason } } });
      },
    },
    receiver: { isCreating: () => false },
  });
  const ask = async (id: number) => {
    const message = { jsonrpc: '2.0', id, method: 'elicitation/create', params: {} };
    log.append({
      body: { kind: 'received', stream: 'standalone', method: message.method, raw: JSON.stringify(message) },
      message,
    });
    await clock.to(clock.time);
  };
  return { clock, log, sent, link, sending, preferences, responder, ask };
}

describe('the automatic responder', () => {
  it('gives each question its own time', async () => {
    const { clock, sent, ask } = setUp();
    await ask(1);
    await clock.to(300_000);
    await ask(2);
    await clock.to(600_000);
    expect(sent).toEqual([expect.stringMatching(/^1: Not answered within 10 minutes/)]);
    await clock.to(899_999);
    expect(sent).toHaveLength(1);
    await clock.to(900_000);
    expect(sent).toHaveLength(2);
  });

  it('answers what is open when a rule is made', async () => {
    const { clock, sent, ask, preferences } = setUp();
    await ask(1);
    await preferences.save({ ...NO_PREFERENCES, rules: { ...DEFAULT_RULES, elicitation: 'decline' } });
    await clock.to(1);
    expect(sent).toEqual(['1: Declined automatically.']);
  });

  it('waits for a connection, also beyond the time', async () => {
    const { clock, sent, ask, link, log } = setUp();
    link.canReply = false;
    await ask(1);
    await clock.to(700_000);
    expect(sent).toEqual([]);
    link.canReply = true;
    log.append({ body: { kind: 'state', state: { name: 'connected', how: 'resumed' } } });
    await clock.to(700_001);
    expect(sent).toHaveLength(1);
  });

  it('leaves alone what is being answered when its time ends', async () => {
    const { clock, sent, ask, sending } = setUp();
    await ask(1);
    sending.add('1');
    await clock.to(700_000);
    expect(sent).toEqual([]);
  });

  it('does nothing more once it is closed', async () => {
    const { clock, sent, ask, responder } = setUp();
    await ask(1);
    responder.close();
    await clock.to(700_000);
    expect(sent).toEqual([]);
  });
});
