/**
 * The door by which src/state and src/ui use the client. An app has one server and `mcp-reprise/client`; an inspector has
 * several, and shows what an app need not see: settings, credentials, catalogs, the log. Both stand on the same rooms.
 */
export type { CallOptions } from '../calls/calls.ts';
export { NO_LISTS, type Catalog } from '../catalog/catalog.ts';
export type { PrimitiveCommand } from '../catalog/primitives.ts';
export {
  offersSkills,
  type CheckedFile,
  type SkillCheck,
  type SkillEntry,
  type SkillList,
  type WrongFile,
} from '../catalog/skills/skillTypes.ts';
export { otherTasks } from '../console/otherTasks.ts';
export type { Session } from '../link/session.ts';
export type { Credentials } from '../settings/credentials.ts';
export type { ServerHandle } from '../servers/serverHandle.ts';
export { originOf } from '../settings/address.ts';
export {
  NO_PREFERENCES,
  type Root,
  type ServerPreferences,
  type Subscription,
} from '../settings/preferences.ts';
export { decideQuestion, samplingResult, type Rules, type SavedAnswer } from '../settings/rules.ts';
export type { AddedBy, Revision, SavedServer, ServerSettings } from '../settings/savedServer.ts';
export type { Rescue } from '../workspace/rescue.ts';
export { UNDO_MS } from '../workspace/plannedRemovals.ts';
export type { Workspace } from '../workspace/workspace.ts';
export type { ConnectOptions, HeldBack } from '../workspace/workspaceTypes.ts';
