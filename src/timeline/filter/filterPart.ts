/** What a filter needs, in one script: most pages never type one. */
export { LogSearch } from '../logSearch.ts';
export { completeQuery } from './complete.ts';
export { parseQuery } from './query.ts';
