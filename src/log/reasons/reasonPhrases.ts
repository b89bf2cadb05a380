/** Parts of the sentences of reasons. Pure. */
import { plural } from '../../base/format.ts';
import type { ReasonOf } from './reason.ts';
import type { SessionsTried } from './reasonFacts.ts';
import { after } from './shortTexts.ts';

/** What an item of each list is, and what it can't be shown without. */
export const LISTED: Readonly<
  Record<ReasonOf<'items-left-out'>['how'], readonly [item: string, lacks: string]>
> = {
  tools: ['tool', 'name'],
  resources: ['resource', 'URI'],
  resourceTemplates: ['resource template', 'uriTemplate'],
  prompts: ['prompt', 'name'],
  tasks: ['task', 'ID or known status'],
};

export function reloadedText({ tasks = 0, questions = 0, cancelled = 0 }: ReasonOf<'reloaded'>): string {
  const sentences = [
    ...(tasks > 0 ? [`${plural(tasks, 'task')} resumed.`] : []),
    ...(questions > 0 ? [`${plural(questions, 'input request')} kept.`] : []),
    ...(cancelled > 0 ? [`${plural(cancelled, 'call')} cancelled by the reload.`] : []),
  ];
  return sentences.join(' ') || 'Stateless server: nothing to resume.';
}

export function paramHeaderText({ how, name, text }: ReasonOf<'param-header'>): string {
  const mark = `x-mcp-header${name === undefined ? '' : ` of “${name}”`}`;
  return {
    misplaced: 'x-mcp-header isn’t on a named parameter.',
    empty: `${mark} is empty.`,
    'not-a-token': `${mark} isn’t a valid header name${after(': ', text)}.`,
    'wrong-type': `${mark} requires a string, integer or boolean parameter.`,
    repeated: `x-mcp-header${after(' ', text)} is used twice.`,
  }[how];
}

export function sessionsText({ how, status }: SessionsTried): string {
  switch (how) {
    case 'no-answer':
      return 'No response to initialize, so the server may or may not support sessions.';
    case 'rejected':
      return `The server rejected initialize${inHttp(status)}, so it has no sessions.`;
    case 'untried':
      return `The server responded to GET with HTTP ${status ?? 405}. Servers with sessions require a session ID there, so Reprise didn’t try sessions.`;
    case 'no-session-id':
      return 'The server accepts initialize, but sends no session ID.';
    case 'no-event-ids':
      return 'The server also has sessions, but its responses to initialize and ping have no event IDs.';
    case 'resumable':
      return 'The server also has sessions with event IDs, so calls can be resumed after a reload.';
  }
}

export function corsText(how: ReasonOf<'cors'>['how'], names: readonly string[] | undefined): string {
  switch (how) {
    case 'answers':
      return 'Responses have no Access-Control-Allow-Origin for this page.';
    case 'post-answers':
      return 'GET works, but POST responses have no Access-Control-Allow-Origin for this page.';
    case 'preflight':
      return 'The preflight request (OPTIONS) fails: it needs a 2xx status and Access-Control-Allow-Headers.';
    case 'headers':
      return `The preflight response doesn’t list ${names?.join(', ') ?? 'some headers'} in Access-Control-Allow-Headers.`;
    case 'nothing':
      return 'Each check passes on its own. The network may have failed briefly, or POST is missing from Access-Control-Allow-Methods.';
  }
}

/** Nothing where the fact is not known. */
export const inside = (fact: string | number | undefined): string => (fact === undefined ? '' : ` (${fact})`);
export const inHttp = (status: number | undefined): string =>
  status === undefined ? '' : ` (HTTP ${status})`;
