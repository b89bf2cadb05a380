/** What kind of question a server asks. */
import type { Question } from '../../log/state/question.ts';

export const isElicitation = ({ method }: Question): boolean => method === 'elicitation/create';

export function kindWords(question: Question): string {
  return isElicitation(question) ? 'Elicitation' : 'Sampling request';
}
