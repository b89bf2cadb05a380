/** The questions before a link is followed. */
import type { Sentence } from '../parts/sentence.ts';

export const WORDS = {
  connect: (url: string): Sentence => ['This link wants to connect to ', { code: url }, '.'],
  known: (name: string) => `In your list as ${name}.`,
  sendsSecrets: 'Its token and headers will be sent.',
  opensTool: (tool: string, hasArguments: boolean): Sentence => [
    'It will open the tool ',
    { code: tool },
    `${hasArguments ? ' with these arguments' : ''} but not call it.`,
  ],
  trust: 'Only connect to servers you trust.',
  logLabel: 'Link to a log',
  openLog: (host: string): Sentence => [
    'Open the log from ',
    { strong: host },
    '? It’s stored in this browser and read-only. No server is connected.',
  ],
  badLog: (why: string) => `The link that opened this page names a log that can’t be opened. ${why}`,
} as const;
