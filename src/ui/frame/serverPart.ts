/** What is drawn only for a server, in one script: a first visit has none. */
export { default as FixCallout } from '../connect/FixCallout.svelte';
export { default as ServerSwitcher } from '../header/ServerSwitcher.svelte';
export { default as Inbox } from '../inbox/Inbox.svelte';
export { default as Frame } from './Frame.svelte';
