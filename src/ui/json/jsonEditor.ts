/**
 * The editor of JSON. It lives in a shadow root: there its styles are adopted sheets, which the page's policy allows,
 * and not `style` elements, which it does not.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { linter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { checkLimited } from '../../limited/checkLimited.ts';
import { runLimited } from '../../limited/runLimited.ts';
import { completeJson } from './completeJson.ts';
import { nodeAt } from './jsonPlaces.ts';

export interface JsonEditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly value: string;
  readonly schema: unknown;
  readonly onchange: (value: string) => void;
}

export interface JsonEditor {
  setValue(value: string): void;
  /** What is wrong, for those who do not see it stand below. */
  describe(problem: string | undefined): void;
  /** Takes the focus over, with what was selected. */
  focus(from: number, to: number): void;
  destroy(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--look)' },
]);

const look = EditorView.theme({
  '&': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    fontSize: 'var(--normal)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', minHeight: '120px', maxHeight: '400px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-tooltip': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    maxWidth: '400px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionInfo': { maxHeight: '160px', overflow: 'auto' },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft) !important' },
  '.cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
});

export function createJsonEditor(options: JsonEditorOptions): JsonEditor {
  const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: 'open' });
  const attributes = new Compartment();
  const described = (problem: string | undefined) =>
    EditorView.contentAttributes.of({
      'aria-label': options.label,
      'aria-invalid': String(problem !== undefined),
      ...(problem !== undefined && { 'aria-description': problem }),
    });
  let isSetting = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        // The form has Ctrl+Enter. Tab is not taken: nobody gets stuck in here.
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])),
        highlightSpecialChars(),
        history(),
        closeBrackets(),
        bracketMatching(),
        indentOnInput(),
        json(),
        syntaxHighlighting(colours),
        autocompletion({ override: [completeJson(options.schema)], icons: false }),
        linter(jsonParseLinter()),
        linter((shown) => complaints(shown, options.schema)),
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        EditorView.lineWrapping,
        look,
        attributes.of(described(undefined)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isSetting) options.onchange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setValue(value) {
      if (value === view.state.doc.toString()) return;
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
      isSetting = false;
    },
    describe: (problem) => view.dispatch({ effects: attributes.reconfigure(described(problem)) }),
    focus(from, to) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) } });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

async function complaints(view: EditorView, schema: unknown): Promise<readonly Diagnostic[]> {
  const text = view.state.doc.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const check = await checkLimited(runLimited, schema, value);
  if (check.name === 'too-slow') return [{ from: 0, to: 0, severity: 'info', message: check.why }];
  if (check.name !== 'complains') return [];
  // Typed on meanwhile: it is checked again.
  if (view.state.doc.toString() !== text) return [];
  const tree = syntaxTree(view.state);
  return check.complaints.map(({ pointer, message }) => {
    const { from, to } = nodeAt(tree, pointer, (start, end) => view.state.sliceDoc(start, end));
    const name = pointer.split('/').at(-1) ?? '';
    return {
      from,
      to,
      severity: 'warning',
      message: message === 'Required.' ? `${name} is required.` : message,
    };
  });
}
