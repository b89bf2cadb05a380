import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, EntryBody } from '../../log/entry/entry.ts';
import { CALL, entryOf, reloadedCall } from '../testing/logOf.ts';
import { printMermaid } from './mermaid.ts';

const progress = (n: number, replayed = false): EntryBody => ({
  kind: 'received',
  stream: CALL,
  callId: CALL,
  method: 'notifications/progress',
  ...(replayed && { replayed: true }),
  raw: JSON.stringify({ method: 'notifications/progress', params: { progress: n, total: 20 } }),
});

describe('a call as a Mermaid sequence diagram', () => {
  it('shows both page loads, the gap, the resume, what was replayed, and the result', () => {
    const ofCall = reloadedCall.filter(
      (entry) => entry.kind === 'load' || ('callId' in entry && entry.callId === CALL),
    );
    expect(printMermaid(ofCall)).toBe(`sequenceDiagram
participant L1 as Page load 1
participant L2 as Page load 2
participant S as Server
L1->>S: tools/call countdown
S->>L1: notifications/progress 1/3
Note over L1,L2: Page reloaded, no page for 1.9 s
S--xL2: HTTP 409 to GET
L2->>S: GET with Last-Event-ID e1
rect rgba(20, 150, 140, 0.2)
Note over L2,S: 1 missed event replayed
S->>L2: notifications/progress 2/3
end
S--xL2: event e1 again (duplicate, dropped)
S->>L2: elicitation/create
S->>L2: notifications/progress 3/3
S-->>L2: result
`);
  });

  it('counts the gap from when the page was left, where that is known', () => {
    const text = printMermaid([
      entryOf(1, 1000, 1, progress(1)),
      entryOf(2, 5000, 2, { kind: 'load', reason: 'opened', pageLeftAt: 4600 }),
      entryOf(3, 5100, 2, progress(2)),
    ]);
    expect(text).toContain('Note over L1,L2: Page reloaded, no page for 400 ms');
  });

  it('leaves out notifications in the middle of many', () => {
    const many = Array.from({ length: 20 }, (_, n) => entryOf(n + 1, n, 1, progress(n + 1)));
    const lines = printMermaid(many).split('\n');
    expect(lines.slice(3)).toEqual([
      'S->>L1: notifications/progress 1/20',
      'S->>L1: notifications/progress 2/20',
      'Note over L1,S: 16 more notifications',
      'S->>L1: notifications/progress 19/20',
      'S->>L1: notifications/progress 20/20',
      '',
    ]);
  });

  it('tells what became of a call that did not come back', () => {
    const lost = {
      kind: 'call',
      callId: CALL,
      change: { name: 'lost', reason: { code: 'session-ended', how: 'forgotten' } },
    } as const;
    expect(printMermaid([entryOf(1, 0, 3, lost)])).toContain('Note over L3: Call lost');
  });

  it('closes the block of what was replayed where the diagram is cut', () => {
    const turns = Array.from({ length: 600 }, (_, n) =>
      entryOf(n + 1, n, 1, { kind: 'sent', stream: 'a', method: 'ping', raw: '{}' }),
    );
    const replayed = Array.from({ length: 5 }, (_, n) => entryOf(n + 400, n, 1, progress(n, true)));
    const lines = printMermaid([...turns.slice(0, 397), ...replayed, ...turns.slice(0, 50)]).split('\n');
    expect(lines.filter((line) => line.startsWith('rect '))).toHaveLength(1);
    expect(lines.filter((line) => line === 'end')).toHaveLength(1);
    expect(lines.at(-2)).toBe('Note over S: The rest is left out');
  });
});

/** As far as the grammar of Mermaid goes here: one statement in each line, and no text that ends it early. */
const STATEMENT =
  /^(sequenceDiagram|participant (L\d+ as Page load \d+|S as Server)|rect rgba\([\d., ]+\)|end|(Note over [LS\d,]+|L\d+(->>|-->>|--x)S|S(->>|-->>|--x)L\d+): (?!(no)?wrap:)([^#;\n<>"%{}]|#\d+;)+)$/iu;

describe('names that a server chose', () => {
  it('can’t end a statement, begin another or bring markup in', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom(
            'a;b',
            'x\nend',
            '#35;',
            '<script>',
            'wrap: x',
            '%%{init: {}}%%',
            '',
            '"',
            '\u2028',
          ),
        ),
        (name) => {
          const raw = JSON.stringify({ method: 'tools/call', params: { name } });
          const entries: readonly Entry[] = [
            entryOf(1, 0, 1, { kind: 'sent', stream: 'a', method: 'tools/call', raw }),
            entryOf(2, 0, 1, { kind: 'received', stream: 'a', method: name, raw: '{}' }),
            entryOf(3, 0, 1, { kind: 'duplicate', stream: 'a', eventId: name }),
          ];
          for (const line of printMermaid(entries).trimEnd().split('\n')) expect(line).toMatch(STATEMENT);
        },
      ),
      { numRuns: 500 },
    );
  });
});
