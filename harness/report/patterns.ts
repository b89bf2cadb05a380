/** Fills that drawings of a report share. */
import { Markup } from './markup.ts';

/** Hatching and shading, defined once for all drawings of the page. */
export const PATTERNS = new Markup(
  '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>' +
    '<pattern id="hatch" width="3" height="3" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
    '<rect width="3" height="3" fill="var(--panel)"/><rect width="1.5" height="3" fill="var(--accent)"/></pattern>' +
    '<pattern id="shading" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">' +
    '<rect width="1.2" height="7" fill="var(--shade)" opacity="0.55"/></pattern></defs></svg>',
);
