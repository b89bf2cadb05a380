import { expect, test } from 'vitest';
import { Emitter } from '../../base/emitter.ts';
import { DEFAULT_RULES, type Rules } from '../../client/settings/rules.ts';
import { NO_PREFERENCES } from '../../client/settings/preferences.ts';
import { settled, testLog } from '../../recorder/testing/testLog.ts';
import { noticeQuestions } from './questionNotices.ts';
import { recorded } from '../../log/reasons/reason.ts';

const clock = { now: () => 0, after: () => () => undefined, random: () => 0 };

function setUp(role: 'leads' | 'follows' = 'leads', rules: Rules = DEFAULT_RULES) {
  const log = testLog(clock);
  const tab = { name: 's', role, log, preferences: { ...NO_PREFERENCES, rules } };
  const workspace = { changed: new Emitter<undefined>(), servers: [] as (typeof tab)[] };
  const shown: string[] = [];
  const world = { isHidden: true };
  noticeQuestions(workspace, {
    areWanted: () => world.isHidden,
    show: (title, body) => shown.push(`${title}: ${body}`),
  });
  workspace.servers.push(tab);
  workspace.changed.emit(undefined);
  const ask = (id: number, method = 'elicitation/create') => {
    const message = { jsonrpc: '2.0', id, method, params: { message: `Number ${id}?` } };
    log.append({
      body: { kind: 'received', stream: 'standalone', method, raw: JSON.stringify(message) },
      message,
    });
    return settled();
  };
  return { log, shown, world, ask };
}

test('each question is said once, while nobody looks', async () => {
  const { shown, world, ask, log } = setUp();
  await ask(1);
  log.append({ body: { kind: 'note', level: 'info', reason: recorded('') } });
  world.isHidden = false;
  await ask(2);
  world.isHidden = true;
  log.append({ body: { kind: 'note', level: 'info', reason: recorded('') } });
  await ask(3);
  expect(shown).toEqual(['Elicitation from s: Number 1?', 'Elicitation from s: Number 3?']);
});

test('a tab that does not lead says nothing, and neither does a rule that answers', async () => {
  const following = setUp('follows');
  await following.ask(1);
  const declining = setUp('leads', { ...DEFAULT_RULES, elicitation: 'decline' });
  await declining.ask(1);
  await declining.ask(2, 'sampling/createMessage');
  expect([following.shown, declining.shown]).toEqual([[], ['Sampling request from s: Number 2?']]);
});
