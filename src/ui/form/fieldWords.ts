/** The sentences of the fields of a form. */

export const WORDS = {
  asForm: 'Edit as form',
  asJson: 'Edit as JSON',
  none: 'No arguments.',
  wide: 'Several lines (Shift+Enter)',
  loading: 'Loading the editor…',
} as const;
