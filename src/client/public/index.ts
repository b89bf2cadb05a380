/**
 * `mcp-reprise/client`: an MCP client for web pages whose calls survive a reload.
 *
 * Functions and methods that are written as properties (`readonly subscribe: …`) are bound: pass them around freely.
 * Reason codes (`reason`) may gain members in a minor version: keep a default branch.
 */
export type { Clock } from '../../base/clock.ts';
export type * from './callTypes.ts';
export { checkStore } from './checkStore.ts';
export { ClientError, type ClientErrorCode } from './clientError.ts';
export type * from './clientTypes.ts';
export { inspect } from './inspect.ts';
export type * from './inspectTypes.ts';
export type * from './loginTypes.ts';
export { manualClock, type ManualClock } from './manualClock.ts';
export { openClient } from './openClient.ts';
export type * from './openOptions.ts';
export type * from './questionTypes.ts';
export type * from './stateTypes.ts';
export { indexedDbStore, memoryStore } from './stores.ts';
export type * from './storeTypes.ts';
