/** Says a new question outside of the page, where that is allowed and nobody looks at the tab. */
import { stringField } from '../../base/json.ts';
import { decideQuestion, type ServerHandle, type Workspace } from '../../client/inspector/index.ts';
import { kindWords } from './questionKind.ts';

export interface Notices {
  /** Is it allowed, and is nobody looking? */
  readonly areWanted: () => boolean;
  readonly show: (title: string, body: string) => void;
}

type Tab = Pick<ServerHandle, 'name' | 'role' | 'log' | 'preferences'>;
type Servers = Pick<Workspace, 'changed'> & { readonly servers: readonly Tab[] };

export function noticeQuestions(workspace: Servers, notices: Notices): void {
  const watched = new Set<Tab>();
  const watch = () => {
    for (const tab of workspace.servers) {
      if (watched.has(tab)) continue;
      watched.add(tab);
      watchTab(tab, notices);
    }
  };
  workspace.changed.on(watch);
  watch();
}

function watchTab(tab: Tab, { areWanted, show }: Notices): void {
  const { log } = tab;
  let known = new Set(log.state.questions.keys());
  log.appended.on(() => {
    const { questions } = log.state;
    if (questions.size === 0 && known.size === 0) return;
    const added = [...questions.values()].filter(({ id }) => !known.has(id));
    known = new Set(questions.keys());
    // Of several tabs, only the one that leads speaks.
    if (tab.role !== 'leads' || !areWanted()) return;
    for (const question of added) {
      if (decideQuestion(question, tab.preferences.rules, question.askedAt).name === 'reply') continue;
      const body = stringField(question.params, 'message') ?? 'The server requests a completion.';
      show(`${kindWords(question)} from ${tab.name}`, body);
    }
  });
}
