/** The rules of this repository, as oxlint reads them. */
import { noStringAsFunction } from './noStringAsFunction.mjs';

export default { meta: { name: 'local' }, rules: { 'no-string-as-function': noStringAsFunction } };
