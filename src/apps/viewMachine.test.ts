import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextView, type CallFacts, type ViewEvent, type ViewState } from './viewMachine.ts';

const ARGS = { a: 1 };
const RESULT = { content: [] };
const TYPING: CallFacts = { name: 'typing', args: ARGS };
const RUNNING: CallFacts = { name: 'running', args: ARGS };
const DONE: CallFacts = { name: 'done', args: ARGS, result: RESULT };
const LOST: CallFacts = { name: 'without-result', args: ARGS, why: 'Lost.' };

const [loading, framing, starting] = (['loading', 'framing', 'starting'] as const).map((name) => ({ name }));
const running = (told: 'nothing' | 'input' | 'outcome'): ViewState => ({ name: 'running', told });
const closed: ViewState = { name: 'closed', why: 'x' };
const initialized = (call: CallFacts): ViewEvent => ({ type: 'initialized', call });
const changed = (call: CallFacts): ViewEvent => ({ type: 'call-changed', call });

const ROWS: readonly (readonly [
  string,
  ViewState | undefined,
  ViewEvent,
  ViewState | undefined,
  readonly string[],
])[] = [
  ['frames its document once it is read', loading, { type: 'document-read' }, framing, ['frame']],
  [
    'sends the document when the sandbox is ready',
    framing,
    { type: 'sandbox-ready' },
    starting,
    ['send-document'],
  ],
  ['sends the document once', starting, { type: 'sandbox-ready' }, starting, []],
  [
    'uses an opaque frame if its origin cannot be reached',
    framing,
    { type: 'sandbox-late' },
    framing,
    ['use-opaque-frame'],
  ],
  ['keeps a sandbox that is ready', starting, { type: 'sandbox-late' }, starting, []],
  [
    'is reported if it never initializes',
    starting,
    { type: 'initialized-late' },
    starting,
    ['report-not-initialized'],
  ],
  ['is told nothing before it is initialized', starting, changed(DONE), starting, []],
  ['is told the input of a running call', starting, initialized(RUNNING), running('input'), ['send-input']],
  [
    'is told the input, then the result',
    starting,
    initialized(DONE),
    running('outcome'),
    ['send-input', 'send-result'],
  ],
  ['is told the result when it comes', running('input'), changed(DONE), running('outcome'), ['send-result']],
  [
    'is told that a lost call is cancelled',
    running('input'),
    changed(LOST),
    running('outcome'),
    ['send-cancelled'],
  ],
  [
    'is told the input of a lost call too',
    starting,
    initialized(LOST),
    running('outcome'),
    ['send-input', 'send-cancelled'],
  ],
  [
    'is told the arguments while they are typed',
    starting,
    initialized(TYPING),
    running('nothing'),
    ['send-partial-input'],
  ],
  ['gets no partial input after the input', running('input'), changed(TYPING), running('input'), []],
  ['is told one outcome', running('outcome'), changed(LOST), running('outcome'), []],
  ['is initialized once', running('outcome'), initialized(DONE), running('outcome'), []],
  ['is removed when it is stopped', running('input'), { type: 'stop', why: 'x' }, closed, ['remove-frame']],
  ['stays closed', closed, { type: 'sandbox-ready' }, closed, []],
];

test.each(ROWS)('a view %s', (_, before, event, after, effects) => {
  const step = nextView(before as ViewState, event);
  expect(step.state).toEqual(after);
  expect(step.effects.map(({ does }) => does)).toEqual(effects);
});

test('whatever happens, nothing is sent before the view is initialized, and each thing once and in order', () => {
  const call = fc.constantFrom(TYPING, RUNNING, DONE, LOST);
  const event = fc.oneof(
    fc.constantFrom<ViewEvent>(
      { type: 'document-read' },
      { type: 'sandbox-ready' },
      { type: 'sandbox-late' },
    ),
    call.map(initialized),
    call.map(changed),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      let state: ViewState = { name: 'loading' };
      const sent: string[] = [];
      for (const one of events) {
        const wasStarting = state.name === 'starting';
        const step = nextView(state, one);
        for (const { does } of step.effects.filter(({ does }) => /input|result|cancelled/.test(does))) {
          expect(state.name === 'running' || (wasStarting && one.type === 'initialized')).toBe(true);
          sent.push(does);
        }
        state = step.state;
      }
      expect(sent.join(' ')).toMatch(/^(send-partial-input ?)*(send-input ?)?(send-result|send-cancelled)?$/);
      if (/result|cancelled/.test(sent.join(' '))) expect(sent).toContain('send-input');
    }),
  );
});
