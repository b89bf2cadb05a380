/** The sentences of a bridge’s own section. */

export const WORDS = {
  kept: 'stored for replay',
  skipped: 'Skipped on stdout',
  skippedFix: 'These lines aren’t JSON-RPC. How to fix it: Write logs to stderr.',
  stderr: 'stderr, from the bridge',
  stderrHint: 'Read by the bridge. The server’s own log messages are in Logs.',
  none: 'Nothing yet.',
  loading: 'Loading bridge status…',
} as const;
