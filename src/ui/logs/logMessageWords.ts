/** The sentences of a server’s log messages. */

export const WORDS = {
  unsupported: 'This server doesn’t support logging.',
  setting: 'Setting the level…',
  set: (level: string) => `Level set to ${level}.`,
  shown: (shown: number, total: number, isFull: boolean) =>
    `${shown === total ? total : `${shown} of ${total}`} messages${isFull ? '; older messages are in the timeline' : ''}.`,
  failed: (why: string) => `Can’t load log messages: ${why}`,
  none: 'No log messages yet.',
  noMatch: 'No messages match the filter.',
} as const;
