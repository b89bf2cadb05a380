/** One call over time, with a lane for each page load, as reports draw it. Pure. */
import { nameOf } from '../judge/waterfall.ts';
import type { Gap, Mark, Waterfall } from '../report/facts.ts';
import type { CallTrace } from './callTrace.ts';
import type { Interruption, Recording } from './model.ts';

const LABELS: Readonly<Record<Interruption['kind'], string>> = {
  reload: 'reload',
  reopen: 'tab closed',
  crash: 'tab crashed',
  offline: 'offline',
  cut: 'connection cut',
  restart: 'server restarted',
};

export function drawTrace(recording: Recording, trace: CallTrace): Waterfall {
  const since = (at: number): number => Math.max(0, at - trace.post.at);
  const lanes = new Map<string, Mark[]>();
  const add = (name: string, mark: Mark): void => void lanes.set(name, [...(lanes.get(name) ?? []), mark]);
  for (const { at, deliveredAt, page, message, isResponse, delivery, duplicates } of trace.messages) {
    const name = page ? `load ${page.load}` : 'no page';
    const words = isResponse ? 'response' : nameOf(message);
    if (deliveredAt === undefined)
      add('no page', { at: since(at), kind: 'lost', label: `${words}, not received` });
    else
      add(name, {
        at: since(deliveredAt),
        kind: isResponse ? 'result' : delivery === 'replayed' ? 'replayed' : 'live',
        label: delivery === 'replayed' ? `${words}, replayed` : words,
      });
    if (duplicates > 0)
      add(name, { at: since(deliveredAt ?? at), kind: 'duplicate', label: `${words}, again` });
  }
  const gaps = recording.interruptions
    .filter(({ backAt }) => backAt >= trace.post.at)
    .map(({ kind, at, backAt }): Gap => ({ from: since(at), to: since(backAt), label: LABELS[kind] }));
  const marks = [...lanes.values()].flat();
  const durationMs = Math.max(1, ...marks.map(({ at }) => at), ...gaps.map(({ to }) => to));
  return {
    durationMs,
    lanes: [...lanes].map(([name, found]) => ({ name, marks: [...found].sort((a, b) => a.at - b.at) })),
    gaps,
  };
}
