/** What is known of the views of MCP Apps, by the call that each belongs to: a fold over their entries. */
import type { AppBody, AppFinding } from '../entry/entry.ts';

export interface AppFacts {
  readonly callId: string;
  readonly uri: string;
  /** Of the document that was shown first. */
  readonly sha256: string;
  /** How often the view was opened, in all page loads. */
  readonly opened: number;
  readonly findings: readonly SeenFinding[];
  /** The newest `ui/message` requests, as JSON text. */
  readonly messages: readonly string[];
  /** The last `ui/update-model-context`, as JSON text. */
  readonly modelContext?: string;
}

export interface SeenFinding {
  readonly finding: AppFinding;
  readonly text: string;
  readonly count: number;
}

/** These facts are stored with every batch of entries, so they stay small. */
const KEPT_APPS = 50;
const KEPT_FINDINGS = 30;
const FINDING_CHARS = 200;
const KEPT_MESSAGES = 10;
const MESSAGE_CHARS = 1000;

export class AppViews extends Map<string, AppFacts> {
  fold(entry: AppBody): void {
    if (entry.step === 'opened') this.#open(entry);
    const facts = this.get(entry.callId);
    if (facts) this.set(entry.callId, next(facts, entry));
  }

  #open({ callId, uri = '', sha256 = '' }: AppBody): void {
    const { opened = 0, ...before } = this.get(callId) ?? {};
    const first = { callId, uri, sha256, findings: [], messages: [] };
    this.set(callId, { ...first, ...before, opened: opened + 1 });
    for (const oldest of [...this.keys()].slice(0, Math.max(0, this.size - KEPT_APPS))) this.delete(oldest);
  }
}

function next(facts: AppFacts, { step, method, finding, appText = '', more = 0 }: AppBody): AppFacts {
  if (step === 'finding' && finding) {
    const found = { finding, text: appText.slice(0, FINDING_CHARS), count: 1 + more };
    return { ...facts, findings: counted(facts.findings, found) };
  }
  if (step !== 'received') return facts;
  const text = appText.slice(0, MESSAGE_CHARS);
  switch (method) {
    case 'ui/message':
      return { ...facts, messages: [...facts.messages, text].slice(-KEPT_MESSAGES) };
    case 'ui/update-model-context':
      return { ...facts, modelContext: text };
    default:
      return facts;
  }
}

/** The same finding is listed once. */
function counted(known: readonly SeenFinding[], found: SeenFinding): readonly SeenFinding[] {
  const at = known.findIndex(({ finding, text }) => finding === found.finding && text === found.text);
  if (at < 0) return known.length < KEPT_FINDINGS ? [...known, found] : known;
  return known.map((one, i) => (i === at ? { ...one, count: one.count + found.count } : one));
}
