/** The events of an interrupted call over time, as the report draws them. Pure. */
import { isObject, stringField } from '../../src/base/json.ts';
import type { Control } from '../context.ts';
import type { Gap, Mark, Waterfall } from '../report/facts.ts';
import { progressOf, type Comparison } from './compare.ts';
import type { CallMessage, Observed } from './observe.ts';

export function drawWaterfall(observed: Observed, control: Control, comparison: Comparison): Waterfall {
  const { startedAt } = observed.call;
  const since = (at: number): number => Math.max(0, at - startedAt);
  const marksOf = (messages: readonly CallMessage[]): Mark[] =>
    messages.map(({ at, message, replayed }) => ({
      at: since(at),
      kind: isAnswer(message) ? 'result' : replayed ? 'replayed' : 'live',
      label: labelOf(message, replayed),
    }));
  const own = observed.messages.filter(({ stream }) => stream !== 'standalone');
  const standalone = observed.messages.filter(({ stream }) => stream === 'standalone');
  const duplicates = observed.duplicatesAt.map((at): Mark => ({
    at: since(at),
    kind: 'duplicate',
    label: 'duplicate (dropped)',
  }));
  const gaps = [
    ...observed.returns.map(({ leftAt, loadedAt }, at): Gap => ({
      from: since(leftAt),
      to: since(loadedAt),
      label: observed.returns.length > 1 ? `reload ${at + 1}` : 'reload',
    })),
    ...observed.breaks.map(({ from, to }): Gap => ({
      from: since(from),
      to: since(to),
      label: 'connection lost',
    })),
  ].sort((a, b) => a.from - b.from);
  const lanes = [
    { name: 'call', marks: [...marksOf(own), ...duplicates, ...lostMarks(control, comparison)] },
    ...(standalone.length > 0 ? [{ name: 'standalone', marks: marksOf(standalone) }] : []),
  ].map(({ name, marks }) => ({ name, marks: marks.sort((a, b) => a.at - b.at) }));
  const ends = [...lanes.flatMap(({ marks }) => marks.map(({ at }) => at)), ...gaps.map(({ to }) => to)];
  return { durationMs: Math.max(1, ...ends), lanes, gaps };
}

/** What happened to the page, where it was no reload. */
const HAPPENED: Readonly<Record<string, string>> = {
  'finish-while-away': 'tab closed',
  'tab-crash': 'tab crashed',
  'browser-restart': 'browser restarted',
  'second-tab': 'first tab closed',
};

/** The gaps of a scenario by their right names. */
export function nameGaps<Result extends { readonly name: string; readonly waterfall?: Waterfall }>(
  result: Result,
): Result {
  const label = HAPPENED[result.name];
  if (label === undefined || !result.waterfall) return result;
  const gaps = result.waterfall.gaps.map((gap) => (gap.label.startsWith('reload') ? { ...gap, label } : gap));
  return { ...result, waterfall: { ...result.waterfall, gaps } };
}

/** A lost message is drawn where the control call had it. */
function lostMarks({ observed }: Control, { missing }: Comparison): Mark[] {
  return missing.flatMap((place) => {
    const message = observed.messages[place];
    if (!message) return [];
    const at = Math.max(0, message.at - observed.call.startedAt);
    return [{ at, kind: 'lost', label: `lost: ${labelOf(message.message, false)}` }];
  });
}

function labelOf(message: object, replayed: boolean): string {
  return replayed ? `${nameOf(message)}, replayed` : nameOf(message);
}

/** In a word or two, for people. */
export function nameOf(message: object): string {
  const progress = progressOf(message);
  const method = stringField(message, 'method')?.replace('notifications/', '') ?? 'result';
  return progress === undefined ? method : `progress ${progress}`;
}

function isAnswer(message: object): boolean {
  return isObject(message) && message['method'] === undefined;
}
