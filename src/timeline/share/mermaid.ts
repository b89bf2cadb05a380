/** Entries as the source of a Mermaid sequence diagram: one participant for each page load, and the server. */
import { plural, duration } from '../../base/format.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { Step } from './diagramSteps.ts';
import { fileKindOf } from './entryKinds.ts';

/** A longer diagram can't be read. */
const MOST_LINES = 400;
/** A log of a million entries must not be in memory for that. */
const MOST_STEPS = 20_000;
const REST = 'Note over S: The rest is left out';
/** Of so many notifications in a row, the first and the last ones are shown. */
const MOST_IN_A_ROW = 6;
const SHOWN_AT_EACH_END = 2;
const LABEL_CHARS = 80;
/** The color of what is replayed, on a light and on a dark background. */
const REPLAYED = 'rgba(20, 150, 140, 0.2)';
const ARROWS = { request: '->>', response: '-->>', lost: '--x' } as const;

/** Steps of one page load that are drawn alike. */
interface Group {
  readonly load: number;
  readonly isReplayed: boolean;
  readonly isNotification: boolean;
  readonly steps: Step[];
}

interface Gap {
  readonly kind: 'gap';
  readonly before: number;
  readonly load: number;
  readonly label: string;
}

class MermaidDiagram {
  readonly #parts: (Group | Gap)[] = [];
  readonly #loads = new Set<number>();
  #last: Entry | undefined;
  #steps = 0;

  add(entries: readonly Entry[]): void {
    for (const entry of entries) if (this.#steps <= MOST_STEPS) this.#add(entry);
  }

  print(): string {
    const loads = [...this.#loads].sort((a, b) => a - b);
    const lines = this.#parts.flatMap((part) => ('kind' in part ? [gapLine(part)] : groupLines(part, loads)));
    const isCut = lines.length > MOST_LINES || this.#steps > MOST_STEPS;
    return [
      'sequenceDiagram',
      ...loads.map((load) => `participant L${load} as Page load ${load}`),
      'participant S as Server',
      ...(isCut ? [...wholeBlocks(lines.slice(0, MOST_LINES)), REST] : lines),
      '',
    ].join('\n');
  }

  #add(entry: Entry): void {
    const before = this.#last;
    if (before && before.load !== entry.load && this.#loads.has(before.load)) this.#leave(before, entry);
    this.#last = entry;
    const step = fileKindOf(entry).step(entry);
    if (!step) return;
    this.#steps += 1;
    this.#loads.add(entry.load);
    const isReplayed = step.kind === 'arrow' && step.isReplayed === true;
    const isNotification = step.kind === 'arrow' && step.isNotification === true;
    const group = this.#parts.at(-1);
    const fits =
      group &&
      !('kind' in group) &&
      group.load === entry.load &&
      group.isReplayed === isReplayed &&
      group.isNotification === isNotification;
    if (fits) group.steps.push(step);
    else this.#parts.push({ load: entry.load, isReplayed, isNotification, steps: [step] });
  }

  /** No page was there, from the last sign of one load to the first of the next. */
  #leave(before: Entry, entry: Entry): void {
    this.#loads.add(entry.load);
    const leftAt = entry.kind === 'load' ? (entry.pageLeftAt ?? before.at) : before.at;
    const label =
      entry.kind === 'load' && entry.reason === 'took over'
        ? 'Another tab became the owner'
        : `Page reloaded, no page for ${duration(Math.max(0, entry.at - leftAt))}`;
    this.#parts.push({ kind: 'gap', before: before.load, load: entry.load, label });
  }
}

export function printMermaid(entries: readonly Entry[]): string {
  const diagram = new MermaidDiagram();
  diagram.add(entries);
  return diagram.print();
}

const gapLine = ({ before, load, label }: Gap): string =>
  `Note over L${before},L${load}: ${escapeLabel(label)}`;

function groupLines({ load, isReplayed, isNotification, steps }: Group, loads: readonly number[]): string[] {
  const print = (step: Step) => stepLine(step, load, loads);
  const left = steps.length - 2 * SHOWN_AT_EACH_END;
  const lines =
    isNotification && steps.length > MOST_IN_A_ROW
      ? [
          ...steps.slice(0, SHOWN_AT_EACH_END).map(print),
          `Note over L${load},S: ${plural(left, 'more notification')}`,
          ...steps.slice(-SHOWN_AT_EACH_END).map(print),
        ]
      : steps.map(print);
  if (!isReplayed) return lines;
  const title = `Note over L${load},S: ${plural(steps.length, 'missed event')} replayed`;
  return [`rect ${REPLAYED}`, title, ...lines, 'end'];
}

function stepLine(step: Step, load: number, loads: readonly number[]): string {
  const page = `L${load}`;
  if (step.kind === 'note') {
    const over = step.over === 'page' ? page : `L${loads[0] ?? load},S`;
    return `Note over ${over}: ${escapeLabel(step.label)}`;
  }
  const [from, to] = step.from === 'page' ? [page, 'S'] : ['S', page];
  return `${from}${ARROWS[step.arrow]}${to}: ${escapeLabel(step.label)}`;
}

/** A block that was cut is closed, or the diagram can't be parsed. */
function wholeBlocks(lines: readonly string[]): readonly string[] {
  const open = lines.findLastIndex((line) => line.startsWith('rect '));
  return open >= 0 && !lines.slice(open).includes('end') ? [...lines, 'end'] : lines;
}

/**
 * Labels hold names that a server chose. What has a meaning in Mermaid, and what a renderer could take for HTML, is
 * written as an entity code (#35; and the like); a line break would begin a new statement.
 */
function escapeLabel(label: string): string {
  const chars = Array.from(label.replace(/\s+/g, ' ').trim());
  const cut = chars.length > LABEL_CHARS ? [...chars.slice(0, LABEL_CHARS - 1), '…'] : chars;
  const text = cut.map((char) => (PLAIN.test(char) ? char : `#${char.codePointAt(0) ?? 32};`)).join('');
  // Mermaid reads "wrap:" at the beginning as an instruction.
  return text.replace(/^((?:no)?wrap):/i, '$1#58;') || 'message';
}

const PLAIN = /^[\p{L}\p{N} _/.,()×:…’-]$/u;
