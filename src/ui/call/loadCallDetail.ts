/** What draws a call and its result: loaded with the first call, and beside the log by a page that comes back. */
export const loadCallDetail = () => import('./CallDetail.svelte');
