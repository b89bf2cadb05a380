/** A server's text in a terminal: without the control characters that move the cursor, or write over what was printed. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what is meant
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
