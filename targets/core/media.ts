/** Small files of several kinds, as base64, so that a page has something to show. */

/** 24 × 24: the sign of the page. */
export const SIGN_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAALUlEQVR42mP4+vkPHIXZnIAjZBFkNbgQw6hBw94gNNnhZNBo9I9G/2j0Dx+DAEQdh/gIbqwSAAAAAElFTkSuQmCC';

/** Bytes that are nobody's text. */
export const SOME_BYTES = btoa(String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i)));

const PAGE = 'BT /F1 24 Tf 36 96 Td (A page of Reprise) Tj ET';

/** One page with one line; readers find its objects without a table of them. */
export const PAPER_PDF = btoa(
  [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
    `4 0 obj<</Length ${PAGE.length}>>stream\n${PAGE}\nendstream endobj`,
    '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ].join('\n'),
);
