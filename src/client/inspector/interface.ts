/** The interface of a server and its history, for the section that shows them: loaded with that section. */
export {
  schemaNotes,
  usageNotes,
  type AuthorNote,
  type DeprecatedPart,
  type TimedCall,
} from '../catalog/interface/authorNotes.ts';
export { changeTitle, fieldText, sumOfChanges } from '../catalog/interface/changeWords.ts';
export { diffInterfaces, type InterfaceChange } from '../catalog/interface/diff.ts';
export { parseHistory, type InterfaceHistory } from '../catalog/interface/history.ts';
export { offeredBy } from '../catalog/interface/offeredBy.ts';
export { readSnapshotFile, snapshotFile, type InterfaceSnapshot } from '../catalog/interface/snapshot.ts';
export { sizeToolList, type ToolListSize } from '../catalog/interface/toolSizes.ts';
